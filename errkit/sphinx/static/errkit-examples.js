// What the examples of codes gain by a script: a button that copies one, and one choice of tab for the whole page.
// Without it all of them can be read and marked. Nothing is asked of anybody, and nothing is kept.
"use strict";
(() => {
  const script = document.currentScript;
  const words = { copy: script.dataset.copy, copied: script.dataset.copied };

  function addButton(block) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "errkit-copy";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("pre").textContent.trimEnd());
      } catch {
        return; // The browser said no: the button keeps its word.
      }
      button.textContent = words.copied;
      setTimeout(() => { button.textContent = words.copy; }, 1500);
    });
    // Whoever reads with their ears is told that it worked.
    button.setAttribute("aria-live", "polite");
    block.prepend(button);
  }

  function follow(event) {
    const chosen = event.target;
    if (!chosen.matches(".errkit-tabs > input")) return;
    const top = chosen.getBoundingClientRect().top;
    for (const other of document.querySelectorAll(".errkit-tabs > input")) {
      if (other.value === chosen.value) other.checked = true;
    }
    // Tabs above have changed their height: what was chosen stays where it is.
    window.scrollBy(0, chosen.getBoundingClientRect().top - top);
  }

  const copies = script.dataset.copy && navigator.clipboard;
  if (copies) document.querySelectorAll(".errkit-code .highlight").forEach(addButton);
  document.addEventListener("change", follow);
})();
