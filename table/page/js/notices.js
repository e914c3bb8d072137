// Short messages from the page itself, at the bottom, gone after a while.
import { h } from "./dom.js";

export function notice(text) {
  const box = h("div.notice", {}, text);
  document.getElementById("notices").append(box);
  setTimeout(() => box.remove(), 6000);
}
