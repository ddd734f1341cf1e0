import { item } from '../domain/checks.ts';
import { ecuadorDay } from '../domain/clock.ts';
import type { IssuerRecord } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import type { CheckMessage } from '../messages/checks.ts';
import type { TakenBy } from '../messages/message.ts';
import { readSignature } from './certificates/signature.ts';
import { failed, fingerprint, type OpenRecord, type SetupDeps } from './deps.ts';

export type FileGiven = { bytes: Uint8Array } | { unread: string };

export interface SignatureGiven {
  file: FileGiven;
  password: string | null;
  passwordEnv: string;
}

const code = 'signature';
/** Below it the signature should be renewed; the first alert is raised on the same day. */
const soonDays = 60;
const day = 86_400_000;

export async function setUpSignature(
  deps: SetupDeps,
  ruc: string,
  given: SignatureGiven | null,
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  const { apply, now, resend, service } = deps;
  const { signature: sent } = record.value;
  if (given === null)
    return sent ? certificateItem(sent, now) : item(code, 'warning', { ...none, why: 'none' });
  const { file, password, passwordEnv: variable } = given;
  if ('unread' in file)
    return sent ? certificateItem(sent, now) : problem({ why: 'unread', path: file.unread });
  const wanted = fingerprint(file.bytes);
  if (sent?.file === wanted && !(resend && apply)) return certificateItem(sent, now);
  if (password === null) return problem({ why: 'no-password', variable });
  const read = await readSignature(Buffer.from(file.bytes), password, now);
  if ('blame' in read) return problem({ why: read.blame, reason: read.sentence, variable });
  const { titular: owner, ruc: theirs, valido_hasta } = read;
  if (theirs !== null && theirs !== ruc) return problem({ why: 'other-ruc', holder: owner, theirs, ruc });
  const until = new Date(valido_hasta);
  if (!apply) {
    const certificate = { owner, until: ecuadorDay(until) };
    const state = sent ? 'differs' : 'missing';
    return item(code, state, { certificate, why: 'unsent', namesRuc: theirs !== null });
  }
  const saved = await service.subirFirmaElectronica({ ruc, firma_file: file.bytes, password });
  if (saved.kind === 'not-found') return problem({ why: 'no-company' });
  if (saved.kind !== 'saved') return failed(code, none, saved);
  const kept = { file: wanted, owner, until: until.toISOString() };
  await record.save({ signature: kept });
  return { ...certificateItem(kept, now), done: true };
}

function certificateItem({ owner, until }: NonNullable<IssuerRecord['signature']>, now: Date): InstallItem {
  const days = Math.floor((Date.parse(until) - now.getTime()) / day);
  const certificate = { owner, until: ecuadorDay(new Date(until)) };
  if (days < 0) return item(code, 'problem', { certificate, why: 'expired' });
  if (days >= soonDays) return item(code, 'ok', { certificate });
  return item(code, 'warning', { certificate, why: 'soon', days });
}

const none = { certificate: null };
const problem = (found: TakenBy<CheckMessage<'signature'>[1]>): InstallItem =>
  item(code, 'problem', { ...none, ...found });
