// Attachments and embeds: pictures one can enlarge, files one can save.
import { h, icon } from "./dom.js";
import { enlarge } from "./lightbox.js";
import { markdown } from "./markdown.js";
import { t } from "./words.js";

const isPicture = (each) => each.content_type?.startsWith("image/") && each.width;

export function picture(media, alt, { spoiler = false, all = null, className = "" } = {}) {
  const image = h("img", {
    src: media.url,
    alt: alt ?? "",
    width: media.width ? String(media.width) : null,
    height: media.height ? String(media.height) : null,
    loading: "lazy",
    decoding: "async",
  });
  const label = alt ? t("Enlarge: {alt}", { alt }) : t("Enlarge the picture");
  const button = h(
    "button.picture",
    {
      class: `picture ${className}${spoiler ? " veiled" : ""}`,
      "aria-label": label,
      onclick: () => {
        if (button.classList.contains("veiled")) button.classList.remove("veiled");
        else enlarge(all ?? [{ url: media.url, alt }], media.url);
      },
    },
    image,
  );
  if (media.width && media.height) button.style.setProperty("--ratio", `${media.width} / ${media.height}`);
  return button;
}

export function drawAttachments(message) {
  const used = JSON.stringify(message.embeds);
  const shown = message.attachments.filter((each) => !used.includes(each.url));
  if (!shown.length) return null;
  const pictures = shown.filter(isPicture);
  const all = pictures.map((each) => ({ url: each.url, alt: each.description }));
  const gallery = pictures.length
    ? h(
        "div.gallery",
        { dataset: { count: Math.min(pictures.length, 5) } },
        pictures.map((each) =>
          picture(each, each.description, { all, spoiler: each.filename.startsWith("SPOILER_") }),
        ),
      )
    : null;
  return [gallery, shown.filter((each) => !isPicture(each)).map(fileCard)];
}

export function fileCard(each) {
  const size =
    each.size > 1048576 ? `${(each.size / 1048576).toFixed(2)} MB` : `${(each.size / 1024).toFixed(2)} KB`;
  return h(
    "div.file",
    {},
    icon("file"),
    h("span", {}, h("a", { href: each.url, download: each.filename }, each.filename), h("small", {}, size)),
  );
}

export function drawEmbeds(embeds) {
  return embeds.map((each) => {
    const colour =
      each.color === undefined || each.color === null
        ? "var(--embed-edge)"
        : `#${each.color.toString(16).padStart(6, "0")}`;
    const name =
      each.title &&
      h(
        "div.embed-title",
        {},
        each.url
          ? h("a", { href: each.url, target: "_blank", rel: "noopener" }, each.title)
          : markdown(each.title),
      );
    return h(
      "div.embed",
      { style: `border-left-color:${colour}` },
      h(
        "div.embed-main",
        {},
        each.author
          ? h(
              "div.embed-author",
              {},
              each.author.icon_url ? h("img", { src: each.author.icon_url, alt: "" }) : null,
              each.author.name,
            )
          : null,
        name,
        each.description ? h("div.embed-text", {}, markdown(each.description)) : null,
        each.fields?.length
          ? h(
              "dl.embed-fields",
              {},
              each.fields.map((field) =>
                h(
                  "div",
                  { class: field.inline ? "inline" : "" },
                  h("dt", {}, markdown(field.name)),
                  h("dd", {}, markdown(field.value)),
                ),
              ),
            )
          : null,
        each.image ? picture(each.image, each.image.description ?? each.title) : null,
        each.footer ? h("div.embed-footer", {}, each.footer.text) : null,
      ),
      each.thumbnail ? picture(each.thumbnail, each.title, { className: "thumb" }) : null,
    );
  });
}
