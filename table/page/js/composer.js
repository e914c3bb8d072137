// The message box: writing, files, replies, mentions, and the way into slash commands.
import { attempt, look, packed } from "./api.js";
import { fresh, h, icon, replace } from "./dom.js";
import { avatar } from "./dom.js";
import { Popup } from "./popup.js";
import { SlashForm } from "./slash.js";
import { nameOf, store, title, user } from "./store.js";
import { parts, t } from "./words.js";

const root = document.getElementById("composer");
const drafts = new Map();
let box = null;
let popup = null;
let slash = null;
let reply = null;
let files = [];

export function forgetCommands() {
  store.commands.clear();
}

async function commands() {
  const key = store.channel.id;
  if (!store.commands.has(key)) store.commands.set(key, await look("commands", { channel: key }));
  return store.commands.get(key);
}

export function focusBox() {
  if (matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true });
}

export function replyTo(message) {
  reply = message;
  drawComposer(true);
  box?.focus();
}

function placeName() {
  const channel = store.channel;
  return `${{ 0: "#", 1: "@" }[channel.type] ?? ""}${title(channel)}`;
}

// The channel may be named anew, or the person speak another language, while something is being written.
export function renameBox() {
  if (!box) return;
  box.placeholder = t("Message {place}", { place: placeName() });
  box.setAttribute("aria-label", box.placeholder);
}

const draftKey = () => `${store.me.id} ${store.channel.id}`;

export function drawComposer(keep = false) {
  if (!keep) {
    reply = null;
    files = [];
  }
  slash = null;
  const channel = store.channel;
  if (!channel.can_send) {
    replace(root, h("p.cannot", {}, t("You do not have permission to send messages in this channel.")));
    box = null;
    return;
  }
  const listId = fresh("popup");
  box = h("textarea", {
    id: "box",
    rows: "1",
    placeholder: t("Message {place}", { place: placeName() }),
    "aria-label": t("Message {place}", { place: placeName() }),
    maxlength: "2000",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": listId,
  });
  box.value = drafts.get(draftKey()) ?? "";
  popup = new Popup(listId, box);
  const picker = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    onchange: () => {
      files = [...files, ...picker.files];
      drawComposer(true);
    },
  });
  replace(
    root,
    popup.element,
    replyBar(),
    fileBar(),
    h(
      "div.box",
      {},
      h(
        "button.icon-button",
        { onclick: () => picker.click(), "aria-label": t("Upload a file"), title: t("Upload a file") },
        icon("plus"),
      ),
      picker,
      box,
      h(
        "button.icon-button.send",
        { onclick: () => enter(), "aria-label": t("Send"), title: t("Send") },
        icon("send"),
      ),
    ),
  );
  box.addEventListener("input", typed);
  box.addEventListener("keydown", pressed);
  box.addEventListener("paste", (event) => {
    if (event.clipboardData.files.length) {
      files = [...files, ...event.clipboardData.files];
      drawComposer(true);
    }
  });
  grow();
  if (box.value) typed();
}

function replyBar() {
  if (!reply) return null;
  return h(
    "div.reply-bar",
    {},
    parts("Replying to {name}", { name: h("b", {}, nameOf(reply.author.id)) }),
    h("span.space"),
    h(
      "button.icon-button",
      {
        onclick: () => {
          reply = null;
          drawComposer(true);
        },
        "aria-label": t("Do not reply"),
      },
      icon("close"),
    ),
  );
}

function fileBar() {
  if (!files.length) return null;
  return h(
    "div.file-bar",
    {},
    files.map((each) =>
      h(
        "span.chip",
        {},
        each.name,
        h(
          "button",
          {
            onclick: () => {
              files = files.filter((one) => one !== each);
              drawComposer(true);
            },
            "aria-label": t("Remove {name}", { name: each.name }),
          },
          "×",
        ),
      ),
    ),
  );
}

function grow() {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, innerHeight * 0.4)}px`;
}

async function typed() {
  grow();
  drafts.set(draftKey(), box.value);
  const text = box.value;
  if (/^\/[^\n]*$/.test(text)) return offerCommands(text.slice(1));
  const at = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, box.selectionStart));
  return at ? offerPeople(at[1]) : popup.close();
}

async function offerCommands(typedName) {
  const all = await commands();
  if (!box || box.value.slice(1) !== typedName) return;
  const words = typedName.toLowerCase();
  // "/echo " with its space is a choice already made.
  const exact = all.find((each) => words.trimEnd() === each.name && words.endsWith(" "));
  if (exact) {
    begin(exact);
    return;
  }
  const found = all
    .filter((each) => each.name.includes(words.trim()) || each.command.includes(words.trim()))
    .sort((a, b) => b.name.startsWith(words) - a.name.startsWith(words));
  popup.open(
    typedName ? t("Commands matching /{text}", { text: typedName }) : t("Commands"),
    found.map((each) => ({
      label: `/${each.name}`,
      description: each.description,
      face: avatar(store.bot, 24),
      aside: store.bot.global_name,
      hint: each.options.map((one) => one.label),
      choose: () => begin(each),
    })),
    t("No command fits"),
  );
}

function offerPeople(part) {
  const ids = store.server ? store.server.members.map((each) => each.id) : [store.bot.id];
  const found = ids.map(user).filter((each) => nameOf(each.id).toLowerCase().startsWith(part.toLowerCase()));
  if (!found.length) {
    popup.close();
    return;
  }
  popup.open(
    t("Members"),
    found.map((each) => ({
      label: nameOf(each.id),
      description: each.username,
      face: avatar(each, 24),
      choose: () => {
        const start = box.selectionStart - part.length - 1;
        box.setRangeText(`@${nameOf(each.id)} `, start, box.selectionStart, "end");
        drafts.set(draftKey(), box.value);
        popup.close();
      },
    })),
  );
}

function begin(command) {
  popup.close();
  drafts.delete(draftKey());
  const done = () => {
    drawComposer();
    focusBox();
  };
  slash = new SlashForm(command, done);
  replace(root, slash.element);
  slash.focus();
}

function pressed(event) {
  if (event.isComposing) return;
  if (popup.handles(event)) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    enter();
  } else if (event.key === "Escape" && reply) {
    reply = null;
    drawComposer(true);
    box.focus();
  }
}

async function enter() {
  const text = box.value.trim();
  if (text.startsWith("/")) {
    const all = await commands();
    const found = all.find((each) => text.slice(1).toLowerCase().startsWith(each.name));
    if (found) {
      begin(found);
      return;
    }
  }
  if (!text && !files.length) return;
  const people = [...store.users.values()].sort((a, b) => nameOf(b.id).length - nameOf(a.id).length);
  const sent = people.reduce((rest, each) => rest.replaceAll(`@${nameOf(each.id)}`, `<@${each.id}>`), text);
  const uploads = await Promise.all(files.map(packed));
  box.value = "";
  drafts.delete(draftKey());
  const answering = reply?.id;
  drawComposer();
  box.focus();
  const made = await attempt("say", {
    channel: store.channel.id,
    text: sent,
    files: uploads,
    reply_to: answering,
  });
  if (!made && box) {
    box.value = text;
    grow();
  }
}
