import { createHash } from 'node:crypto';
import { startOfEcuadorDay } from '../../domain/calendar.ts';
import type { Closes, KeptClose } from '../../ledger/closes.ts';
import type { DayClose } from './day-close.ts';
import { isSigned, type Signer } from './signing.ts';

/** What is signed: the close, and its place in the chain of all closes. */
export interface SignedClose extends DayClose {
  version: 1;
  /** Counts from 1 without a gap. */
  n: number;
  /** Hash of close n − 1; null for the first. */
  previous: string | null;
  /** Hash of the close of the same day and scope that this one takes the place of. */
  replaces: string | null;
}

/** Several processes may close at once; each takes the next free place. */
const tries = 20;

/**
 * Keeps a close, signed and bound to the one before it. A close that says the same as the newest of its day and scope
 * is not kept a second time once its day is over: that one is answered.
 */
export async function keepClose(closes: Closes, signer: Signer, close: DayClose): Promise<KeptClose> {
  for (let n = 0; n < tries; n += 1) {
    const before = await closes.ofDay(close.day, close.scope);
    if (before && isOver(before) && saysSame(readKept(before), close)) return before;
    const last = await closes.last();
    const signed: SignedClose = {
      ...close,
      version: 1,
      n: (last?.n ?? 0) + 1,
      previous: last?.hash ?? null,
      replaces: before?.hash ?? null,
    };
    const content = canonicalJson(signed);
    const kept: KeptClose = {
      hash: hashOf(content),
      n: signed.n,
      day: close.day,
      scope: close.scope,
      result: close.result,
      content,
      signature: signer.sign(content),
      publicKey: signer.publicKey,
      closedAt: close.closedAt,
    };
    if (await closes.add(kept)) return kept;
  }
  throw new Error('No place in the chain of closes was free.');
}

/** What a kept close says; its signature is another question (`verifyChain`). */
export const readKept = ({ content }: Pick<KeptClose, 'content'>): SignedClose =>
  JSON.parse(content) as SignedClose;

/** Made after its day had ended; one made earlier is not the last word, even where nothing came after it. */
const isOver = ({ day, closedAt }: KeptClose): boolean =>
  Date.parse(closedAt) >= startOfEcuadorDay(day).getTime() + 24 * 3_600_000;

const figures = ({ version: _v, n: _n, previous: _p, replaces: _r, closedAt: _c, ...rest }: SignedClose) =>
  canonicalJson(rest);
const saysSame = (kept: SignedClose, close: DayClose): boolean =>
  figures(kept) === figures({ ...kept, ...close });

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** One thing that is wrong with the chain, as a Spanish sentence. */
export interface BrokenLink {
  n: number;
  sentence: string;
}

export interface Verified {
  count: number;
  /** Of the newest; null without closes. Whoever wrote it down elsewhere sees whether the end was cut off. */
  lastHash: string | null;
  broken: BrokenLink[];
}

const pageSize = 200;

/**
 * Reads every close and checks its bytes, its signature under a key of ours, and that it names the one before it.
 * @param trusted raw public keys, base64: of the secret and of the old ones.
 */
export async function verifyChain(
  closes: Pick<Closes, 'chain'>,
  trusted: readonly string[],
): Promise<Verified> {
  const broken: BrokenLink[] = [];
  let [count, after, previous] = [0, 0, null as string | null];
  for (;;) {
    const page = await closes.chain(after, pageSize);
    for (const kept of page) {
      const wrong = (sentence: string) => broken.push({ n: kept.n, sentence });
      if (kept.n !== after + 1)
        wrong(
          kept.n === after + 2
            ? `Falta el cierre ${after + 1}: alguien lo quitó.`
            : `Faltan los cierres ${after + 1} a ${kept.n - 1}: alguien los quitó.`,
        );
      for (const sentence of flaws(kept, previous, trusted)) wrong(sentence);
      [count, after, previous] = [count + 1, kept.n, kept.hash];
    }
    if (page.length < pageSize) return { count, lastHash: previous, broken };
  }
}

function flaws(kept: KeptClose, previous: string | null, trusted: readonly string[]): string[] {
  const name = `El cierre ${kept.n} (${kept.day})`;
  if (hashOf(kept.content) !== kept.hash || !isSigned(kept.content, kept.signature, kept.publicKey))
    return [`${name} fue alterado: su contenido no es el que se firmó.`];
  const found: string[] = [];
  if (!trusted.includes(kept.publicKey))
    found.push(`${name} lo firmó una clave que no es de esta instalación.`);
  const said = readKept(kept);
  if (said.previous !== previous) found.push(`${name} no sigue al cierre anterior: la cadena está rota.`);
  if (said.n !== kept.n || said.day !== kept.day || said.scope !== kept.scope || said.result !== kept.result)
    found.push(`${name} está guardado con otros datos que los que se firmaron.`);
  return found;
}

/**
 * JSON in its one canonical form (RFC 8785): names sorted by their UTF-16 units, no white space. Whoever parses it and
 * writes it again gets the same bytes, so that a signature can be checked without us. Only what we keep passes: texts,
 * whole numbers, flags, null, lists and plain objects; anything else throws a RangeError.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new RangeError(`A ${typeof value} has no canonical JSON here.`);
  const names = Object.keys(value).sort();
  const rows = value as Record<string, unknown>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(rows[name])}`).join(',')}}`;
}
