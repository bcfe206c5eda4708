// Calls of OpenAI's client for Node, its own retries off: chats, streams and tools in turns, so many at once.
// node talk.js BASE_URL CALLS AT_ONCE; prints {"succeeded": …, "failures": ["…"]}. With "broken" instead of CALLS one stream that
// breaks off: {"text": "…", "error": "…"}.
import OpenAI from "openai";

const [baseURL, calls, atOnce] = process.argv.slice(2);
const model = "m";
const client = new OpenAI({ baseURL, apiKey: "sk-any-0123456789", maxRetries: 0, timeout: 30_000 });
const tools = [
  {
    type: "function",
    function: {
      name: "answer",
      parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
    },
  },
];

async function chat(question) {
  const answer = await client.chat.completions.create({ model, messages: [{ role: "user", content: question }] });
  return answer.choices[0].message.content;
}

async function stream(question, heard = () => {}) {
  const parts = await client.chat.completions.create({
    model,
    messages: [{ role: "user", content: question }],
    stream: true,
  });
  let text = "";
  let finished = false;
  for await (const part of parts) {
    text += part.choices[0]?.delta?.content ?? "";
    heard(text);
    finished ||= part.choices[0]?.finish_reason === "stop";
  }
  if (!finished) throw new Error(`a stream without a finish reason: ${text}`);
  return text;
}

async function tool(question) {
  const messages = [{ role: "user", content: question }];
  const asks = await client.chat.completions.create({ model, messages, tools });
  const call = asks.choices[0].message.tool_calls[0];
  messages.push(asks.choices[0].message, {
    role: "tool",
    tool_call_id: call.id,
    content: JSON.parse(call.function.arguments).question,
  });
  const answer = await client.chat.completions.create({ model, messages, tools });
  return answer.choices[0].message.content;
}

async function all() {
  const failures = [];
  let succeeded = 0;
  let next = 0;
  const caller = async () => {
    while (next < Number(calls)) {
      const number = next++;
      const question = `question ${number} has seven words in all`;
      try {
        const answer = await [chat, stream, tool][number % 3](question);
        if (answer === question) succeeded++;
        else failures.push(`${number}: answered "${answer}"`);
      } catch (error) {
        failures.push(`${number}: ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, caller));
  return { succeeded, failures };
}

async function broken() {
  let text = "";
  try {
    await stream("one two three", (heard) => (text = heard));
    return { text, error: "" };
  } catch (error) {
    return { text, error: String(error) };
  }
}

console.log(JSON.stringify(calls === "broken" ? await broken() : await all()));
