import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readText } from '../../../sandbox/shops/loopback.ts';
import type { Reader } from './cost.ts';
import { type Path, placesIn, withValue } from './texts.ts';

/** An answer of a server; a text is sent as a page. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** The answers a call got, by what was asked; several are given in turn. */
type Recording = Map<string, Answer[]>;

export interface Replay {
  url: string;
  /**
   * Makes a call once against the server behind, then a reader of it: each place of its answers is one of a text, unless
   * a reader before had it; those that are read in another way here are named by `again`.
   */
  reader(name: string, call: () => Promise<unknown>, again?: RegExp): Promise<Reader>;
  close(): Promise<void>;
}

/** Stands before a server and keeps its answers, to give them again with a text in one place. `forward` asks it. */
export async function openReplay(
  forward: (request: IncomingMessage, body: string) => Promise<Response>,
): Promise<Replay> {
  let recording: Recording = new Map();
  let isRecording = false;
  const had = new Set<string>();
  let turns = new Map<string, number>();
  let instead: { asked: string; turn: number; body: Buffer } | null = null;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const asked = named(request, text);
    if (isRecording)
      recording.set(asked, [...(recording.get(asked) ?? []), await keep(await forward(request, text))]);
    const turn = turns.get(asked) ?? 0;
    turns.set(asked, turn + 1);
    const known = recording.get(asked)?.[turn] ?? { status: 404, headers: {}, body: {} };
    const changed = instead?.asked === asked && instead.turn === turn ? instead.body : bytesOf(known.body);
    response.writeHead(known.status, known.headers).end(changed);
  }
  const server = await listenOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  return {
    url: server.url,
    async reader(name, call, again) {
      const own: Recording = new Map();
      const begin = (recorded: Recording) => {
        recording = recorded;
        turns = new Map();
        instead = null;
      };
      begin(own);
      isRecording = true;
      await call();
      isRecording = false;
      const places = new Map<string, { asked: string; turn: number; path: Path }>();
      for (const [asked, answers] of own)
        for (const [turn, { body }] of answers.entries())
          for (const [kind, path] of placesIn(body)) {
            const place = `${asked}: ${kind}`;
            if (places.has(place) || (had.has(place) && !again?.test(place))) continue;
            places.set(place, { asked, turn, path });
            had.add(place);
          }
      return {
        name,
        places: [...places.keys()],
        keeps: 6_000,
        prepare(place, text) {
          const { asked, turn, path } = places.get(place) ?? { asked: '', turn: 0, path: [] };
          const body = bytesOf(withValue(own.get(asked)?.[turn]?.body, path, text));
          return () => {
            begin(own);
            instead = { asked, turn, body };
            return call();
          };
        },
      };
    },
    close: server.close,
  };
}

const bytesOf = (body: unknown): Buffer =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

async function keep(answered: Response): Promise<Answer> {
  const text = await answered.text();
  const headers = Object.fromEntries(
    [...answered.headers].filter(
      ([name]) => !/^(content-length|content-encoding|connection|keep-alive|transfer-encoding)$/.test(name),
    ),
  );
  const isJson = headers['content-type']?.startsWith('application/json') && text !== '';
  return { status: answered.status, headers, body: isJson ? JSON.parse(text) : text };
}

/** A request without what differs each time: signatures and variables. */
function named({ method, url = '/' }: IncomingMessage, body: string): string {
  const { pathname, searchParams } = new URL(url, 'http://replay');
  for (const name of [...searchParams.keys()]) if (name.startsWith('oauth_')) searchParams.delete(name);
  const operation = /"query":"\s*(?:\\n|\s)*(?:query|mutation) (\w+)/.exec(body)?.[1] ?? '';
  return [method, `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`, operation]
    .join(' ')
    .trim();
}
