/* Finds error codes: as you type on the index of all codes, and for an address that leads nowhere (404.html).

   What is found comes from the page itself, or from errors.json beside it; nothing is asked of another site.
   Texts are put on the page as text, never as markup, and addresses are those of this site alone. */
"use strict";

(() => {
  const ROWS = 100; // So many rows are shown at once; the rest waits behind a button.
  const HITS = 50; // At each key.
  const NEAR = 5;
  const TOKEN = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu;

  /* Spelling as it is in addresses: what differs in nothing else is the same. */
  const fold = (text) => text.toLowerCase().replace(/[._]/g, "-");

  /* --- finding -------------------------------------------------------------------------------------- */

  /* One code as it is looked for; `it` is what the caller gets back, `names` are separated by spaces. */
  function entry(it, names, title, status, deprecated, others) {
    // Folded once: the first key may come before thousands of these are made.
    const text = fold(`${names}\n${title}\n${status && `http ${status}`}\n${others}`);
    const [known, shown] = text.split("\n", 2);
    const folded = known.split(" ");
    const last = folded[0].slice(names.slice(0, folded[0].length).lastIndexOf(".") + 1);
    return { it, code: folded[0], last, names: folded, title: shown, status, late: deprecated ? 1 : 0, text };
  }

  class Finder {
    constructor(entries) {
      this.entries = entries;
    }

    /* Name -> the entries that have it. */
    get byName() {
      const found = new Map();
      for (const each of this.entries) {
        for (const name of each.names) {
          const known = found.get(name);
          if (!known) found.set(name, [each]);
          else if (!known.includes(each)) known.push(each);
        }
      }
      Object.defineProperty(this, "byName", { value: found });
      return found;
    }

    /* The entries that a query means, best first; `exact` is false where they only come close. */
    search(query) {
      const asked = query.trim();
      if (!asked) return { found: this.entries, exact: true };
      const named = /[^\p{L}\p{N}_.-]/u.test(asked) ? this.mentioned(asked) : [];
      if (named.length) return { found: named, exact: true };
      const words = [...new Set(fold(asked).match(TOKEN) ?? [fold(asked)])];
      const found = this.ranked(fold(asked), words);
      if (found.length) return { found, exact: true };
      return { found: words.length > 1 ? this.closest(words) : this.near(words[0]), exact: false };
    }

    /* The codes that a pasted message or payload names, in its order; numbers count where no code is named. */
    mentioned(text) {
      const codes = new Set();
      const numbers = new Set();
      for (const { 0: token, index } of text.slice(0, 20000).matchAll(TOKEN)) {
        const name = fold(token).replace(/^err-/, "");
        const quoted = /["'[`]/.test(text[index - 1] ?? "") && /["'\]`]/.test(text[index + token.length] ?? "");
        const isName = name.includes("-") || quoted || /^[A-Z][A-Z0-9_]{2,}$/.test(token);
        const into = /^\d+$/.test(name) ? numbers : isName ? codes : null;
        if (into) for (const each of this.byName.get(name) ?? []) into.add(each);
      }
      return [...(codes.size ? codes : numbers)];
    }

    /* The entries that have every word: names before parts of names, those before titles, then the rest. */
    ranked(asked, words) {
      const found = [];
      for (const each of this.entries) {
        let has = true;
        for (const word of words) has = has && each.text.includes(word);
        if (has) (found[2 * rank(each, asked, words) + each.late] ??= []).push(each);
      }
      return found.flat();
    }

    /* The entries that have the rarest of the words, for a text that no entry has all words of. */
    closest(words) {
      const scores = new Map();
      for (const word of words.filter((each) => each.length > 2).slice(0, 40)) {
        const having = this.entries.filter((each) => each.text.includes(word));
        const worth = Math.log(1 + this.entries.length / (1 + having.length));
        for (const each of having) scores.set(each, (scores.get(each) ?? 0) + worth);
      }
      return best(scores, 0.5 * Math.max(...scores.values(), 0), 2 * NEAR);
    }

    /* The entries with a name that is spelled nearly so. */
    near(name) {
      const asked = pairs(fold(name).slice(0, 128));
      const scores = new Map();
      for (const each of this.entries) {
        let likest = 0;
        for (const known of [...each.names, each.last]) likest = Math.max(likest, alike(asked, known));
        scores.set(each, likest);
      }
      return best(scores, 0.45, NEAR);
    }
  }

  function rank(each, asked, words) {
    if (each.names.includes(asked)) return 0;
    if (each.last === asked) return 1;
    if (each.status === asked) return 2;
    if (each.code.startsWith(asked)) return 3;
    if (each.code.includes(asked)) return 4;
    return words.every((word) => each.title.includes(word)) ? 5 : 6;
  }

  function best(scores, least, count) {
    const found = [...scores].filter(([, score]) => score > 0 && score >= least);
    return found.sort(([, one], [, other]) => other - one).slice(0, count).map(([each]) => each);
  }

  /* A letter and its neighbour, as a number: thousands of names are compared at each key. */
  const pair = (text, at) => text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);

  /* The pairs of neighbouring letters of a text. */
  function pairs(text) {
    const found = new Set();
    for (let at = 0; at < text.length - 1; at++) found.add(pair(text, at));
    return found;
  }

  /* How alike two names are, from 0 to 1: their shared pairs of letters (Dice's coefficient). */
  function alike(asked, name) {
    let shared = 0;
    for (let at = 0; at < name.length - 1; at++) if (asked.has(pair(name, at))) shared++;
    return (2 * shared) / (asked.size + Math.max(name.length - 1, 1));
  }

  /* --- parts of pages ------------------------------------------------------------------------------- */

  /* A line of text in which only literals are markup. */
  function line(text, name) {
    const made = document.createElement("span");
    made.className = name;
    text.split(/`{1,2}([^`]+)`{1,2}/).forEach((part, at) => {
      made.append(at % 2 ? literal(part) : part);
    });
    return made;
  }

  function literal(text) {
    const made = document.createElement("code");
    made.className = "literal notranslate";
    made.textContent = text;
    return made;
  }

  const soon = window.requestIdleCallback ?? setTimeout;

  /* --- the index of all codes ----------------------------------------------------------------------- */

  function filter(form) {
    const page = form.closest("section") ?? document.body;
    const table = page.querySelector("table.errkit-codes");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const columns = [...table.tHead.rows[0].cells].map((each) => each.dataset.column);
    const titled = columns.indexOf("title");
    const query = form.elements.q;
    const facets = [...form.querySelectorAll("select")];
    const count = form.querySelector("[role=status]");
    const more = document.createElement("button");
    let finder;
    let hits = [];

    const entries = () => (finder ??= new Finder(rows.map((row) => entryOf(row, titled))));
    const links = () => [...body.querySelectorAll("tr > :first-child a")];

    function show(limit) {
      body.replaceChildren(...hits.slice(0, limit));
      for (const row of body.rows) dress(row);
      more.hidden = hits.length <= limit;
      table.hidden = !hits.length;
      more.textContent = form.dataset.more.replace("%d", hits.length);
    }

    /* A row that is shown gets what a list of rows needs: names of its cells, and what to do. */
    function dress(row) {
      if (row.cells[0].className) return;
      columns.forEach((name, at) => (row.cells[at].className = `errkit-at-${name}`));
      if (row.dataset.hint) row.cells[titled].append(line(row.dataset.hint, "errkit-what"));
    }

    function update() {
      const chosen = facets.filter((each) => each.value);
      const active = Boolean(query.value.trim() || chosen.length);
      const { found, exact } = active ? entries().search(query.value) : { found: null, exact: true };
      hits = found ? found.map((each) => each.it) : rows;
      for (const { name, value } of chosen) hits = hits.filter((row) => row.dataset[name] === value);
      page.classList.toggle("errkit-finding", active);
      show(query.value.trim() ? HITS : ROWS);
      const { one, many, near, none } = form.dataset;
      const said = hits.length === 1 ? one : many.replace("%d", hits.length);
      count.textContent = !hits.length ? none : exact ? said : near;
    }

    function remember() {
      const address = new URL(location.href);
      for (const { name, value } of [query, ...facets]) {
        if (value.trim()) address.searchParams.set(name, value);
        else address.searchParams.delete(name);
      }
      history.replaceState(history.state, "", address);
    }

    function recall() {
      const asked = new URLSearchParams(location.search);
      for (const each of [query, ...facets]) each.value = asked.get(each.name) ?? "";
      // A value that is no choice leaves the list without one.
      for (const each of facets) if (each.selectedIndex < 0) each.selectedIndex = 0;
      update();
    }

    function move(event) {
      const known = links();
      const at = known.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape" && at >= 0) query.focus();
      else if (step && (at >= 0 || document.activeElement === query)) {
        (known[Math.min(at + step, known.length - 1)] ?? query).focus();
      } else return;
      event.preventDefault();
    }

    table.classList.add("errkit-list");
    more.type = "button";
    more.className = "errkit-more";
    more.addEventListener("click", () => {
      const next = body.rows.length;
      show(Infinity);
      links()[next]?.focus();
    });
    (table.closest(".errkit-scroll") ?? table).after(more);
    form.addEventListener("input", () => {
      update();
      remember();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (query.value.trim()) links()[0]?.click();
    });
    page.addEventListener("keydown", move);
    // Before the theme's own listener: here the key belongs to this box.
    window.addEventListener("keydown", (event) => {
      const { ctrlKey, metaKey, altKey, key, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey) return;
      if (target.closest?.("input, textarea, select, [contenteditable]")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      query.focus();
      query.select();
    }, true);
    window.addEventListener("popstate", recall);
    form.hidden = false;
    recall();
    soon(entries);
  }

  function entryOf(row, titled) {
    const data = (name) => row.getAttribute(`data-${name}`) ?? "";
    const title = row.cells[titled].firstChild?.textContent ?? "";
    const others = `${data("hint")}\n${data("find")}`;
    return entry(row, data("names"), title, data("status"), data("deprecated") === "yes", others);
  }

  /* --- an address that leads nowhere ---------------------------------------------------------------- */

  async function suggest(page) {
    const root = new URL(page.dataset.root, location.href);
    const index = await (await fetch(new URL("errors.json", root))).json();
    const finder = new Finder(
      index.codes.map((each) =>
        entry(each, [each.code, each.number ?? each.code, ...(each.aliases ?? [])].join(" "), each.title,
          String(each.http_status ?? ""), each.deprecated, "")),
    );
    const { name, registry, short } = asked(root);
    if (!name) return;
    let found = finder.byName.get(fold(name)) ?? [];
    const own = found.filter(({ it }) => fold(it.link.split("/")[1]) === fold(registry));
    if (own.length) found = own;
    const address = ({ it }) => new URL(it.url, root);
    const [only] = found;
    if (short && found.length === 1 && address(only).origin === location.origin) {
      location.replace(address(only));
      return;
    }
    if (!found.length) found = finder.near(name);
    const list = page.querySelector("ul");
    for (const each of found) {
      if (address(each).origin !== location.origin) continue;
      const link = document.createElement("a");
      link.href = address(each).href;
      link.append(literal(each.it.code));
      const item = document.createElement("li");
      item.append(link, " ", each.it.title);
      if (each.it.hint) item.append(line(each.it.hint, "errkit-what"));
      list.append(item);
    }
    page.querySelector("[hidden]").hidden = !list.children.length;
  }

  /* What an address asks for: by a short link, by the anchor of a code, else by the name of a page. */
  function asked(root) {
    const path = decoded(location.pathname.slice(root.pathname.length)).replace(/(?:\/index\.(?:html?|txt))?\/*$/i, "");
    const parts = path.split("/");
    const name = parts.pop();
    if (/^e$/i.test(parts[0] ?? "")) return { name, registry: parts[1] ?? "", short: true };
    const anchor = /^#err-(.+)$/.exec(decoded(location.hash));
    return { name: anchor ? anchor[1] : name.replace(/\.html?$/i, ""), registry: "", short: false };
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /* --- where to start ------------------------------------------------------------------------------- */

  for (const form of document.querySelectorAll("form[data-errkit=find]")) filter(form);
  for (const page of document.querySelectorAll("[data-errkit=missing]")) {
    // Without errors.json the page says what it says without a script.
    suggest(page).catch(() => {});
  }
})();
