import { type AccountPause, pauseWords } from '../domain/account-pause.ts';
import type { Document } from '../domain/document.ts';

/** Why a document that is ready does not leave; null when its account does not rest. */
export function pauseOf(document: Document, pauses: readonly AccountPause[]): AccountPause | null {
  const waits = document.state === 'ready' || document.state === 'uncertain';
  const shuts = ({ account, ambiente }: AccountPause) =>
    account === document.account && (ambiente === null || ambiente === document.ambiente);
  return (waits && pauses.find(shuts)) || null;
}

const quito = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** One paragraph for each account that rests: since when, why, and what to do. */
export function pausedAccounts(pauses: readonly AccountPause[]): string {
  return pauses
    .map(({ account, ambiente, cause, since }) => {
      const { what, cure } = pauseWords[cause];
      const where = ambiente === null ? '' : ambiente === 2 ? ' en producción' : ' en pruebas';
      return `La cuenta «${account}» está en pausa${where} desde ${quito.format(new Date(since))}. ${what} ${cure}\n`;
    })
    .join('');
}

/** The same for scripts. */
export function toPausedJson({ cause, since, probes }: AccountPause): Record<string, unknown> {
  const { what, cure } = pauseWords[cause];
  return { code: `account-${cause}`, since, probes, reason: what, cure };
}
