import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Closes } from '../../ledger/closes.ts';
import type { KeptClose } from '../../ledger/schema.ts';
import { chainText } from '../../messages/closing.ts';
import { type DayClose, isDayOver } from './day-close.ts';

interface SignedClose extends DayClose {
  version: 1;
  /** From 1 without a gap. */
  n: number;
  /** Hash of close n − 1; null for the first. */
  previous: string | null;
  /** Hash of the close of the same day and scope that this one replaces. */
  replaces: string | null;
}

const tries = 20;

/** A close with the same content that was made after the end of the day is answered instead. */
export async function keepClose(closes: Closes, signer: Signer, close: DayClose): Promise<KeptClose> {
  for (let n = 0; n < tries; n += 1) {
    const before = await closes.ofDay(close.day, close.scope);
    if (before && isDayOver(before) && saysSame(readKept(before), close)) return before;
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

export const readKept = ({ content }: Pick<KeptClose, 'content'>): SignedClose =>
  JSON.parse(content) as SignedClose;

const figures = ({ version: _v, n: _n, previous: _p, replaces: _r, closedAt: _c, ...rest }: SignedClose) =>
  canonicalJson(rest);
const saysSame = (kept: SignedClose, close: DayClose): boolean =>
  figures(kept) === figures({ ...kept, ...close });

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

export interface BrokenLink {
  n: number;
  sentence: string;
}

export interface Verified {
  count: number;
  /** Of the newest close; a copy kept elsewhere shows whether closes were removed from the end. Null without closes. */
  lastHash: string | null;
  broken: BrokenLink[];
}

const pageSize = 200;

/** @param trusted raw public keys, base64: of the secret and of the old ones. */
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
      const [n, last] = [after + 1, kept.n - 1];
      if (kept.n !== n)
        wrong(chainText(n === last ? { why: 'one-missing', n } : { why: 'several-missing', n, last }));
      for (const sentence of flaws(kept, previous, trusted)) wrong(sentence);
      [count, after, previous] = [count + 1, kept.n, kept.hash];
    }
    if (page.length < pageSize) return { count, lastHash: previous, broken };
  }
}

function flaws(kept: KeptClose, previous: string | null, trusted: readonly string[]): string[] {
  const { n, day } = kept;
  if (hashOf(kept.content) !== kept.hash || !isSigned(kept.content, kept.signature, kept.publicKey))
    return [chainText({ why: 'altered', n, day })];
  const found: string[] = [];
  if (!trusted.includes(kept.publicKey)) found.push(chainText({ why: 'foreign-key', n, day }));
  const content = readKept(kept);
  if (content.previous !== previous) found.push(chainText({ why: 'chain-broken', n, day }));
  if ((['n', 'day', 'scope', 'result'] as const).some((name) => content[name] !== kept[name]))
    found.push(chainText({ why: 'row-differs', n, day }));
  return found;
}

/** Canonical JSON (RFC 8785). Throws RangeError for other numbers than integers. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new RangeError(`A ${typeof value} has no canonical JSON here.`);
  const names = Object.keys(value).sort();
  const rows = value as Record<string, unknown>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(rows[name])}`).join(',')}}`;
}

/** Ed25519, so that an auditor can verify closes with the public key. */
export interface Signer {
  /** Raw, base64. */
  publicKey: string;
  pem: string;
  sign(text: string): string;
}

// RFC 8410: the bytes before the 32 bytes of a key in DER.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function openSigner(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const open = createPublicKey(key);
  return {
    publicKey: rawOf(open),
    pem: open.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const der = Buffer.concat([publicPrefix, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const rawOf = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('base64');
