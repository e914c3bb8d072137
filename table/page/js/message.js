// One message: who, when, what, and what can be done with it.
import { attempt } from "./api.js";
import { drawComponents } from "./components.js";
import { replyTo } from "./composer.js";
import { ask, confirm } from "./dialogs.js";
import { avatar, h, icon } from "./dom.js";
import { drawAttachments, drawEmbeds } from "./embeds.js";
import { markdown } from "./markdown.js";
import { go } from "./places.js";
import { arrive } from "./sidebar.js";
import { nameOf, store, title, user } from "./store.js";
import { clock, full, relative, stamp } from "./time.js";
import { parts, t } from "./words.js";

const EPHEMERAL = 64;
const LOADING = 128;
const V2 = 1 << 15;
const TOKEN_MS = 15 * 60 * 1000;

// What the look of a message depends on: while this stays the same, so does its element. A channel that a text
// mentions may become known, or be named anew, after the message has come.
export function keyOf(message, joined) {
  const thread = message.thread && store.channels.get(message.thread.id);
  const text = JSON.stringify([message, Boolean(joined), store.me, thread?.message_count, thread?.name]);
  return text + [...text.matchAll(/[#/](\d{15,20})\b/g)].map(([, id]) => title(store.channels.get(id)));
}

export function drawMessage(message, joined) {
  const author = user(message.author.id);
  const date = new Date(message.timestamp);
  const classes = ["message"];
  if (joined) classes.push("joined");
  if (message.flags & EPHEMERAL) classes.push("ephemeral");
  if (lightsUp(message)) classes.push("mentions-me");
  const item = h("li", {
    class: classes.join(" "),
    id: `message-${message.id}`,
    tabindex: "-1",
  });
  if (message.type === 18) item.append(...threadNotice(message));
  else if (message.type === 6)
    item.append(
      h(
        "p.system",
        {},
        icon("pin"),
        parts("{name} pinned a message to this channel.", { name: h("b", {}, nameOf(author.id)) }),
      ),
    );
  else if (message.type === 21) item.append(...starter(message));
  else {
    const head = joined
      ? null
      : h(
          "header",
          {},
          h("b.author", {}, nameOf(author.id)),
          author.bot ? h("span.tag", {}, "APP") : null,
          h("time", { datetime: message.timestamp, title: full(date) }, stamp(date)),
        );
    item.append(
      ...[
        joined ? null : context(message),
        joined
          ? h(
              "time.side",
              { datetime: message.timestamp, title: full(date), "aria-hidden": "true" },
              clock(date),
            )
          : avatar(author),
        h(
          "article",
          { "aria-label": `${nameOf(author.id)}, ${stamp(date)}` },
          head,
          body(message),
          threadCard(message),
          footer(message),
        ),
        tools(message),
      ].filter(Boolean),
    );
  }
  return item;
}

function lightsUp(message) {
  return (
    message.mentions.some((each) => each.id === store.me.id) ||
    message.mention_everyone ||
    message.mention_roles.some((each) =>
      store.server?.members.find((one) => one.id === store.me.id)?.roles.includes(each),
    )
  );
}

// "ann used /card", or the message that this one replies to.
function context(message) {
  const meta = message.interaction_metadata;
  if (meta?.type === 2) {
    const face = user(meta.user.id);
    return h(
      "div.context",
      {},
      avatar(face, 16),
      parts("{name} used {command}", {
        name: h("b", {}, nameOf(face.id)),
        command: h("span.command", {}, `/${message.interaction.name}`),
      }),
    );
  }
  if (meta?.type === 3) {
    const clicked = store.messages.get(meta.interacted_message_id);
    if (!clicked) return null;
    return h(
      "button.context",
      { onclick: () => go(message.channel_id, clicked.id) },
      avatar(user(clicked.author.id), 16),
      h("b", {}, nameOf(clicked.author.id)),
      h("span.excerpt", {}, excerpt(clicked)),
    );
  }
  if (message.type === 19) {
    const origin = message.referenced_message;
    if (!origin) return h("div.context", {}, h("i", {}, t("Original message was deleted")));
    return h(
      "button.context",
      { onclick: () => go(message.channel_id, origin.id) },
      avatar(user(origin.author.id), 16),
      h("b", {}, nameOf(origin.author.id)),
      h("span.excerpt", {}, excerpt(origin)),
    );
  }
  return null;
}

function excerpt(message) {
  return (
    message.content ||
    (message.components.length ? t("Click to see the card") : t("Click to see the attachment"))
  );
}

function body(message) {
  if (message.flags & LOADING) {
    const late = Date.now() - new Date(message.timestamp) > TOKEN_MS;
    return h(
      "p.thinking",
      {},
      late
        ? t("The application did not respond")
        : [t("{name} is thinking", { name: nameOf(message.author.id) }), h("span.dots", {}, h("i"), h("i"), h("i"))],
    );
  }
  const edited = message.edited_timestamp
    ? h("span.edited", { title: full(new Date(message.edited_timestamp)) }, t(" (edited)"))
    : null;
  if (message.flags & V2) return h("div.v2", {}, drawComponents(message), edited);
  const text = markdown(message.content);
  const emojiOnly = /^(?:\p{Extended_Pictographic}\uFE0F?\s*){1,10}$/u.test(message.content);
  return [
    message.content || edited
      ? h("div.content", { class: emojiOnly ? "content jumbo" : "content" }, text, edited)
      : null,
    message.poll ? poll(message.poll) : null,
    drawAttachments(message),
    drawEmbeds(message.embeds),
    drawComponents(message),
  ];
}

// Shown, not voted on: the bot sends none, but what it might send is to be seen.
function poll({ question, answers }) {
  const line = ({ poll_media: each }) => h("li", {}, each.emoji?.name, " ", each.text);
  return h("div.container", {}, h("b", {}, question.text), h("ul", {}, answers.map(line)));
}

function footer(message) {
  if (!(message.flags & EPHEMERAL)) return null;
  return h(
    "p.only-you",
    {},
    icon("eye"),
    t("Only you can see this"),
    " · ",
    h("button.link", { onclick: () => attempt("dismiss", { message: message.id }) }, t("Dismiss message")),
  );
}

function tools(message) {
  if (message.flags & (EPHEMERAL | LOADING)) return null;
  const start = async () => {
    const name = await ask(t("New thread"), t("Thread name"));
    const made =
      name && (await attempt("thread", { channel: message.channel_id, message: message.id, name }));
    if (made) await arrive(made.id);
  };
  const remove = async () => {
    const sure = await confirm(t("Delete this message?"), t("Nobody will see it any more."), t("Delete"));
    if (sure) await attempt("delete", { message: message.id });
  };
  return h(
    "div.tools",
    {},
    h("button", { onclick: () => replyTo(message), title: t("Reply"), "aria-label": t("Reply") }, icon("reply")),
    store.channel.can_thread && !message.thread
      ? h("button", { onclick: start, title: t("Create thread"), "aria-label": t("Create thread") }, icon("thread"))
      : null,
    message.can_delete
      ? h("button", { onclick: remove, title: t("Delete message"), "aria-label": t("Delete message") }, icon("bin"))
      : null,
  );
}

function threadCard(message) {
  const thread = message.thread;
  if (!thread || message.type === 18) return null;
  return card(thread);
}

function card(thread) {
  const known = store.channels.get(thread.id) ?? thread;
  const count = known.message_count;
  return h(
    "button.thread-card",
    { onclick: () => go(thread.id) },
    h(
      "span",
      {},
      h("b", {}, known.name),
      h("span.count", {}, `${t(count === 1 ? "{count} message" : "{count} messages", { count })} ›`),
    ),
    h(
      "small",
      {},
      known.last_message_id
        ? t("Last activity {when}", {
            when: relative(new Date(Number(BigInt(known.last_message_id) >> 22n) + 1420070400000)),
          })
        : t("No messages yet"),
    ),
  );
}

function threadNotice(message) {
  return [
    h(
      "p.system",
      {},
      icon("thread"),
      parts("{name} started a thread: {thread}.", {
        name: h("b", {}, nameOf(message.author.id)),
        thread: h("button.link", { onclick: () => go(message.message_reference.channel_id) }, message.content),
      }),
      h("time", { datetime: message.timestamp }, ` ${stamp(new Date(message.timestamp))}`),
    ),
    message.thread ? card(message.thread) : "",
  ];
}

function starter(message) {
  const origin = message.referenced_message;
  if (!origin) return [h("p.system", {}, t("The first message of this thread was deleted."))];
  const drawn = drawMessage(origin, false);
  drawn.querySelectorAll(".tools, .thread-card").forEach((each) => each.remove());
  return [...drawn.children];
}
