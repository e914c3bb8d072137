// Talks to the table: questions, verbs, and the stream of news.
import { notice } from "./notices.js";
import { store } from "./store.js";
import { refusal, t } from "./words.js";

async function read(response) {
  const body = await response.json().catch(() => ({ refused: t("The table gave no answer.") }));
  if (!response.ok) throw new Error(body.refused ?? t("The table refused."));
  return body;
}

export async function look(what, query = {}) {
  const parameters = new URLSearchParams({ as: store.me?.id ?? store.who ?? "", ...query });
  return read(await fetch(`/table/${what}?${parameters}`));
}

export async function act(verb, body = {}) {
  const response = await fetch(`/table/${verb}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ as: store.me?.id, ...body }),
  });
  return read(response);
}

// Like `act`, but tells the person instead of failing.
export async function attempt(verb, body = {}) {
  try {
    return await act(verb, body);
  } catch (problem) {
    notice(refusal(problem.message));
    return null;
  }
}

let stream = null;

// Hear the news for somebody, and nobody else's any more. Resolves when the stream flows.
export function listen(who, onNews, onReturn) {
  stream?.close();
  const mine = new EventSource(`/table/events?${new URLSearchParams({ as: who })}`);
  stream = mine;
  let lost = false;
  mine.onmessage = (event) => stream === mine && onNews(JSON.parse(event.data));
  mine.onerror = () => {
    lost = true;
    document.body.classList.add("offline");
  };
  return new Promise((resolve) => {
    mine.onopen = () => {
      document.body.classList.remove("offline");
      if (lost && stream === mine) onReturn();
      lost = false;
      resolve();
    };
  });
}

export function packed(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, type: file.type, data: reader.result.split(",")[1] });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
