// Builds elements: h("button.primary", {onclick}, "text"). Text is always text, never HTML.

export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") element.style.cssText = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false),
  );
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  hash: "M10 3 8 21M16 3l-2 18M4 9h17M3 15h17",
  thread: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5",
  people:
    "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21c0-4 3-7 7-7s7 3 7 7M16 3.5a4 4 0 0 1 0 7.5M18 14c2.5 1 4 3.5 4 7",
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  reply: "M9 7 4 12l5 5M4 12h10c4 0 6 2 6 6",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 9l6 6 6-6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  sun: "M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12 1v2M12 21v2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M1 12h2M21 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4",
  gear: "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9 7 7M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1",
  file: "M6 2h8l5 5v15H6zM14 2v6h5",
  send: "M3 20 21 12 3 4l3 8zM6 12h9",
  link: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  pin: "M12 17v5M7 4h10l-1 6 3 4H5l3-4z",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

const SIGNS = new Intl.Segmenter();

// The first sign of each word as a reader counts signs: an emoji is one, whatever it is made of.
export function initials(name, most) {
  return name
    .trim()
    .split(/\s+/)
    .map((word) => [...SIGNS.segment(word)][0]?.segment ?? "")
    .slice(0, most)
    .join("");
}

export function avatar(user, size = 40) {
  const letters = initials(user.global_name || user.username, 2);
  const style = `--size:${size}px;background:${user.colour}`;
  return h("span.avatar", { style, "aria-hidden": "true" }, letters.toUpperCase());
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// Puts the children into this order, moving only what is out of place: an element that moves loses the focus.
export function arrange(parent, items) {
  const wanted = new Set(items);
  for (const each of [...parent.children]) if (!wanted.has(each)) each.remove();
  items.forEach((each, index) => {
    if (parent.children[index] !== each) parent.insertBefore(each, parent.children[index] ?? null);
  });
}

let serial = 0;
export const fresh = (prefix) => `${prefix}-${++serial}`;
