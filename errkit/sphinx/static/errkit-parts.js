// Links outlive the page that a code was on: one to its row, or to a part that held it before, leads to the code.
// Without it the row stands out and leads there.
"use strict";
(() => {
  function leadOn() {
    if (!location.hash.startsWith("#err-")) return;
    const target = document.getElementById(location.hash.slice(1));
    const next = (target ? target.closest("tr") : document.querySelector(".errkit-up"))?.querySelector("a");
    if (!next) return;
    const address = new URL(next.href);
    if (!target) address.hash = location.hash;
    // Two pages of different builds could send each other their visitors for ever.
    const back = document.referrer.split("#")[0] === next.href.split("#")[0];
    if (!back) location.replace(address);
  }
  window.addEventListener("hashchange", leadOn);
  leadOn();
})();
