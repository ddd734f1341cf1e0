import { dayMs, ecuadorDay } from '../../domain/clock.ts';
import type { CloseAnswer } from '../../reports/close/close.ts';
import { isDayOver } from '../../reports/close/day-close.ts';
import { readKept, type Verified, verifyChain } from '../../reports/close/keep-close.ts';
import type { Carried, Context } from '../operation.ts';

/** Scripts get 0 for a close that adds up, 1 for one that does not, 2 where a source did not answer or cannot be asked. */
const codes = { green: 0, red: 1, incomplete: 2, partial: 2 } as const;

export type ClosedFacts = Omit<CloseAnswer, 'kept'> & { kept: ReturnType<typeof signed> | null };

export async function closeOfDay(
  { closing, jobDeps, scope }: Pick<Context, 'closing' | 'jobDeps' | 'scope'>,
  { date, store, save }: { date?: string | undefined; store?: string | undefined; save: boolean },
): Promise<Carried<ClosedFacts>> {
  const yesterday = ecuadorDay(new Date(jobDeps.clock.now().getTime() - dayMs));
  const answer = await closing.close({ day: date ?? yesterday, store, save, scope });
  const data = { ...answer, kept: answer.kept && signed(answer.kept) };
  const { closeText } = await import('../../reports/close/text.ts');
  return { done: true, message: closeText(answer), code: codes[answer.close.result], data };
}

const signed = ({ n, hash, signature, publicKey, content }: NonNullable<CloseAnswer['kept']>) => ({
  n,
  hash,
  signature,
  publicKey,
  previous: readKept({ content }).previous,
  content,
});

export function verdictOf({ close }: Pick<CloseAnswer, 'close'>): string {
  const { day, result, provisional, differences } = close;
  const of = isDayOver(close) ? `El ${day}` : `El ${day} no ha terminado; hasta ahora`;
  const found = differences.length === 1 ? 'hay una diferencia' : `hay ${differences.length} diferencias`;
  const verdicts = {
    green: `cuadra${provisional && isDayOver(close) ? '; es provisional: hay documentos en trámite' : ''}`,
    incomplete: 'no se pudo conciliar: todavía falta algo',
    partial: 'cuadra entre el registro y el servicio; a una tienda no se le puede preguntar',
    red: `no cuadra: ${found}`,
  };
  return `${of} ${verdicts[result]}.`;
}

export async function verifiedCloses(
  { closing, jobDeps, about }: Pick<Context, 'closing' | 'jobDeps' | 'about'>,
  { publicKey }: { publicKey: boolean },
): Promise<Carried<Verified>> {
  if (publicKey) return { done: true, message: closing.signer.pem.trimEnd() };
  const data = await verifyChain(jobDeps.ledger.closes, about.closeKeys);
  const { count, lastHash, broken } = data;
  const code = broken.length === 0 ? 0 : 1;
  if (count === 0) return { done: true, code, message: 'No hay cierres guardados.', data };
  const whole =
    count === 1
      ? 'El único cierre guardado está firmado.'
      : `Los ${count} cierres guardados están completos y firmados.`;
  const lines = code === 0 ? [whole] : broken.map(({ sentence }) => sentence);
  const last = `El último es ${lastHash}: anótelo fuera de este equipo, para saber mañana que no falta ninguno al final.`;
  return { done: true, code, message: [...lines, last].join('\n'), data };
}
