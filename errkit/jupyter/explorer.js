/* The explorer's face: sends what a reader types and chooses, and shows what Python answers.

   Tables and cards come as markup that Python built and escaped; all else is put on the page as text. Nothing is
   asked of any site, and nothing is decided here. */

const PAUSE = 120; // Milliseconds without a key before Python is asked.

function make(name, attributes = {}, ...children) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...children);
  return found;
}

/* --- asking ------------------------------------------------------------------------------------------- */

function searchBox(model, ask) {
  const box = make("input", { type: "search", size: "24", placeholder: "words, a number, * and ?" });
  let pause = 0;
  box.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => ask({ text: box.value }), PAUSE);
  });
  const show = () => {
    const text = model.get("asked").text ?? "";
    if (box.getRootNode().activeElement !== box) box.value = text;
  };
  show();
  return [make("label", {}, "Search", box), show];
}

/* A list for each facet; those that stay keep their element, and so the focus. */
function facetLists(model, ask) {
  const place = make("span", { style: "display: contents" });
  const lists = new Map();
  const list = (facet) => {
    if (!lists.has(facet.name)) {
      const select = make("select");
      select.addEventListener("change", () => ask({ [facet.name]: select.value }));
      lists.set(facet.name, { select, label: make("label", {}, facet.label, select) });
    }
    return lists.get(facet.name);
  };
  const option = (value, text, chosen) => {
    const found = make("option", { value }, text);
    found.selected = value === chosen;
    return found;
  };
  const show = () => {
    const facets = model.get("choices");
    for (const facet of facets) {
      const options = facet.options.map(([value, count]) => option(value, `${value} (${count})`, facet.chosen));
      list(facet).select.replaceChildren(option("", "any", facet.chosen), ...options);
    }
    const labels = facets.map((each) => list(each).label);
    for (const old of [...place.children]) if (!labels.includes(old)) old.remove();
    labels.forEach((label, index) => {
      if (place.children[index] !== label) place.insertBefore(label, place.children[index] ?? null);
    });
  };
  show();
  return [place, show];
}

/* --- showing ------------------------------------------------------------------------------------------ */

/* The row below a code, which its button opens and closes. */
function toggle(button, model) {
  const row = button.closest("tr");
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) {
    row.nextElementSibling.remove();
    return;
  }
  const cell = make("td", { colspan: String(row.children.length), "aria-busy": "true" }, "Asking Python ...");
  row.after(make("tr", {}, cell));
  model.send({ place: Number(button.dataset.place), code: button.dataset.code });
}

function fill(found, { place, code, card }) {
  for (const button of found.querySelectorAll("button[aria-expanded=true]")) {
    if (button.dataset.place !== String(place) || button.dataset.code !== code) continue;
    const cell = button.closest("tr").nextElementSibling.firstElementChild;
    cell.removeAttribute("aria-busy");
    cell.innerHTML = card || "This code is no longer there.";
  }
}

function render({ model, el }) {
  const ask = (change) => {
    model.set("asked", { ...model.get("asked"), ...change });
    model.save_changes();
  };
  const [box, showText] = searchBox(model, ask);
  const [lists, showFacets] = facetLists(model, ask);
  const clear = make("button", { type: "reset" }, "Clear");
  const form = make("form", { role: "search", "aria-label": "Error codes" }, box, lists, clear);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    model.set("asked", {});
    model.save_changes();
    showRows();
  });
  const said = make("p", { role: "status" });
  const found = make("div", { class: "errkit-found" });
  found.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-code]");
    if (button) toggle(button, model);
  });

  const showSaid = () => void (said.textContent = model.get("said"));
  const showRows = () => void (found.innerHTML = model.get("rows"));
  const showCard = (message) => fill(found, message);
  const shown = {
    "change:asked": showText,
    "change:choices": showFacets,
    "change:said": showSaid,
    "change:rows": showRows,
    "msg:custom": showCard,
  };
  for (const [event, show] of Object.entries(shown)) model.on(event, show);
  showSaid();
  showRows();

  el.classList.add("errkit", "errkit-explorer");
  // Keys are for the explorer while it has the focus, not for commands of JupyterLab.
  el.dataset.lmSuppressShortcuts = "true";
  el.append(form, said, found);
  return () => {
    for (const [event, show] of Object.entries(shown)) model.off(event, show);
  };
}

export default { render };
