// A picture in full: wheel and pinch zoom at the finger, drag to move, arrow keys for the next one.
import { h, icon, replace } from "./dom.js";
import { t } from "./words.js";

const MOST = 12;

export function enlarge(pictures, url) {
  let at = Math.max(
    0,
    pictures.findIndex((each) => each.url === url),
  );
  let scale = 1;
  let x = 0;
  let y = 0;
  const pointers = new Map();
  let apart = 0;
  let moved = false;
  const image = h("img", { draggable: "false" });
  const caption = h("p.caption");
  const stage = h("div.stage", {}, image);
  const bar = h("div.lightbox-bar");
  const box = h("dialog.lightbox", { "aria-label": t("Picture") }, stage, bar);

  function place() {
    image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    stage.classList.toggle("zoomed", scale > 1);
  }

  function zoom(factor, clientX = innerWidth / 2, clientY = innerHeight / 2) {
    const next = Math.min(MOST, Math.max(1, scale * factor));
    const frame = stage.getBoundingClientRect();
    const fromX = clientX - (frame.left + frame.width / 2);
    const fromY = clientY - (frame.top + frame.height / 2);
    x = fromX - (fromX - x) * (next / scale);
    y = fromY - (fromY - y) * (next / scale);
    scale = next;
    if (scale === 1) {
      x = 0;
      y = 0;
    }
    place();
  }

  function show(step = 0) {
    at = (at + step + pictures.length) % pictures.length;
    scale = 1;
    x = 0;
    y = 0;
    image.src = pictures[at].url;
    image.alt = pictures[at].alt ?? "";
    caption.textContent = pictures[at].alt ?? "";
    replace(
      bar,
      caption,
      pictures.length > 1
        ? [
            h("button", { onclick: () => show(-1), "aria-label": t("Previous picture") }, "‹"),
            h("span", {}, `${at + 1} / ${pictures.length}`),
            h("button", { onclick: () => show(1), "aria-label": t("Next picture") }, "›"),
          ]
        : null,
      h("button", { onclick: () => zoom(1 / 1.5), "aria-label": t("Zoom out") }, "−"),
      h("button", { onclick: () => zoom(1.5), "aria-label": t("Zoom in") }, "+"),
      h(
        "a",
        { href: pictures[at].url, target: "_blank", rel: "noopener", "aria-label": t("Open in a new tab") },
        icon("link"),
      ),
      h("button", { onclick: () => box.close(), "aria-label": t("Close") }, icon("close")),
    );
    place();
  }

  stage.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.clientX, event.clientY);
    },
    { passive: false },
  );

  stage.addEventListener("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    moved = false;
    apart = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    pointers.set(event.pointerId, event);
    if (Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY) > 1) moved = true;
    if (pointers.size === 2) {
      const [one, two] = [...pointers.values()];
      const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
      if (apart) zoom(now / apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
      apart = now;
    } else if (scale > 1) {
      x += event.clientX - before.clientX;
      y += event.clientY - before.clientY;
      place();
    }
  });
  for (const name of ["pointerup", "pointercancel"]) {
    stage.addEventListener(name, (event) => {
      pointers.delete(event.pointerId);
      apart = 0;
    });
  }
  // A click beside the picture closes; a double click on it zooms.
  stage.addEventListener("click", (event) => {
    if (event.target === stage && !moved) box.close();
  });
  image.addEventListener("dblclick", (event) =>
    scale > 1 ? zoom(1 / scale) : zoom(3, event.clientX, event.clientY),
  );
  box.addEventListener("keydown", (event) => {
    const keys = {
      "+": () => zoom(1.5),
      "-": () => zoom(1 / 1.5),
      0: () => zoom(1 / scale),
      ArrowLeft: () => show(-1),
      ArrowRight: () => show(1),
    };
    keys[event.key]?.();
  });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  show();
  box.showModal();
}
