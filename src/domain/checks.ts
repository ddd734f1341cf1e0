import { type CheckCode, type CheckMessage, checkMessage } from '../messages/checks.ts';
import { errors } from '../messages/errors.ts';
import { type Message, type Params, say, sentenceOf, type TakenBy } from '../messages/message.ts';
import type { FacturapuenteError } from './errors.ts';
import type { CheckState, InstallItem } from './platform.ts';
import { limitText } from './text.ts';

export type Looked<C extends CheckCode> = TakenBy<CheckMessage<C>[0]>;
type Open<C extends CheckCode> = Looked<C> & TakenBy<CheckMessage<C>[1]>;

export function item<C extends CheckCode>(code: C, state: 'ok', params: Looked<C> | Open<C>): InstallItem;
export function item<C extends CheckCode>(code: C, state: CheckState, params: Open<C>): InstallItem;
export function item(code: string, state: CheckState, params: unknown): InstallItem {
  return { code, state, params: params as Params };
}

export function did<C extends CheckCode>(code: C, params: Looked<C> | Open<C>): InstallItem {
  return { code, state: 'ok', params: params as Params, done: true };
}

/** A check that failed with an error takes the error's code and sentence. */
export function failedBy<C extends CheckCode>(
  checked: C,
  params: Looked<C>,
  error: FacturapuenteError,
): InstallItem {
  return { code: error.code, state: 'problem', params: { ...error.params, ...(params as Params), checked } };
}

export interface ShownItem {
  code: string;
  what: string;
  state: CheckState;
  resolution: string | null;
  done?: boolean;
}

export function inWords({ code, state, params, done }: InstallItem): ShownItem {
  const { what, resolution } = textsOf({ code, state, params });
  return {
    code,
    what: limitText(what),
    state,
    resolution: resolution === null ? null : limitText(resolution),
    ...(done ? { done } : {}),
  };
}

function textsOf({ code, state, params }: InstallItem): { what: string; resolution: string | null } {
  const { message, fix, checked, why } = params;
  if (typeof checked === 'string') {
    const [means]: Partial<Message> = checkMessage(checked) ?? [];
    const sentence = typeof message === 'string' ? message : sentenceOf(errorMessage(code), params);
    return { what: say(means ?? checked, params), resolution: sentence };
  }
  const known = checkMessage(code);
  if (known === undefined || typeof message === 'string')
    return { what: String(message ?? code), resolution: typeof fix === 'string' ? fix : null };
  const isSaid = state !== 'ok' || why !== undefined;
  return { what: say(known[0], params), resolution: isSaid ? say(known[1], params) : null };
}

const errorMessage = (code: string): Message =>
  (errors as Partial<Record<string, Message>>)[code] ?? [code, ''];
