import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { openChance } from './chance.ts';
import { makeRaw, sendRaw } from './raw.ts';
import { type FuzzRequest, makeRequest } from './requests.ts';
import type { Stage } from './stage.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Played {
  /** How often each status came; `reset` where the connection was closed instead. */
  statuses: Record<string, number>;
  /** What must not have happened, with the seed of the request that made it happen. */
  findings: string[];
  slowestMs: number;
}

/** Of what hangs, on a machine that is busy: a sign-in waits for others and hashes; how long, is tried in panel/sign-in.test.ts. */
const patienceMs = 60_000;
const atOnce = 16;
/** Addresses of loopback to come from: limits count by address, and must not hide what lies behind them. Each keeps a connection, of the 1,000 a process takes. */
const sources = 800;
/** So many in raw bytes. */
const rawShare = 0.02;
/** A stack, or a place on this disk. */
const inside =
  /\n\s+at |node:internal|node_modules|\/src\/[a-z]|\/dist\/|\/tmp\/|\/home\/|SQLITE_|ECONNREFUSED/;

/** Sends `count` requests; every one comes out of `seed` and its own number alone. */
export async function play(stage: Stage, { count, seed }: { count: number; seed: number }): Promise<Played> {
  const played: Played = { statuses: {}, findings: [], slowestMs: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: atOnce });
  const port = Number(new URL(stage.url).port);
  let next = 0;
  const one = async (n: number) => {
    const chance = openChance(seed * 1_000_003 + n);
    const began = performance.now();
    const note = (finding: string) => played.findings.push(`#${n}: ${finding}`);
    const count = (status: number | string) => {
      played.statuses[status] = (played.statuses[status] ?? 0) + 1;
    };
    if (chance.often(rawShare)) {
      const bytes = makeRaw(stage, chance);
      const text = await sendRaw(port, bytes, patienceMs);
      if (text === null) note(`no end within ${patienceMs} ms of ${bytes.toString('latin1').slice(0, 120)}`);
      else {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
        count(status || 'reset');
        for (const wrong of flaws(stage, { status, headers: {}, text })) note(`${wrong} (raw)`);
      }
    } else {
      const asked = makeRequest(stage, chance);
      const localAddress = `127.0.${1 + Math.floor((n % sources) / 250)}.${1 + (n % 250)}`;
      const answer = await send(stage.url, asked, { agent, localAddress });
      if (answer === 'late')
        note(`no answer within ${patienceMs} ms: ${asked.method} ${asked.path.slice(0, 120)}`);
      else if (answer === 'reset') count('reset');
      else {
        count(answer.status);
        for (const wrong of flaws(stage, answer, asked.seesAll))
          note(`${wrong}: ${asked.method} ${asked.path.slice(0, 160)}`);
      }
    }
    played.slowestMs = Math.max(played.slowestMs, performance.now() - began);
  };
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count && played.findings.length < 20) await one(next++);
    }),
  );
  agent.destroy();
  return played;
}

function flaws(stage: Stage, { status, headers, text }: Answer, seesAll = false): string[] {
  const found: string[] = [];
  const honest = status === 503 && (headers['retry-after'] !== undefined || text.includes('not-ready'));
  if (status >= 500 && status !== 501 && status !== 505 && !honest) found.push(`answered ${status}`);
  const type = String(headers['content-type'] ?? '');
  const isFile = /pdf|application\/xml/.test(type);
  const shown = `${JSON.stringify(headers)}\n${isFile ? '' : text}`;
  const hidden = [...stage.hidden, ...(seesAll ? [] : stage.buyers)];
  for (const secret of hidden) if (shown.includes(secret)) found.push(`tells «${secret}»`);
  if (!isFile && !/javascript|css|svg/.test(type) && inside.test(text)) found.push('tells of its inside');
  if (type.includes('html')) {
    const policy = String(headers['content-security-policy'] ?? '');
    if (!/default-src 'none'/.test(policy) || /script-src[^;]*unsafe/.test(policy))
      found.push('page without policy');
    if (headers['x-content-type-options'] !== 'nosniff')
      found.push('page that may be taken for something else');
  }
  return found;
}

function send(
  url: string,
  { method, path, headers, body }: FuzzRequest,
  { agent, localAddress }: { agent: Agent; localAddress: string },
): Promise<Answer | 'late' | 'reset'> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const sent = request(
      { hostname, port, method, path, headers, agent, localAddress, setHost: false, timeout: patienceMs },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', () => resolve('reset'));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
      },
    );
    sent.on('timeout', () => {
      resolve('late');
      sent.destroy();
    });
    // What is too large is refused while it still comes.
    sent.on('error', () => resolve('reset'));
    sent.end(body ?? undefined);
  });
}
