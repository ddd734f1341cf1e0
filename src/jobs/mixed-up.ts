import type { StepDeps } from './deps.ts';

/** So many within so long are no accident. */
const many = 2;
const windowMs = 24 * 3_600_000;

/**
 * Something the service said names another document than was asked about, and was not believed. Once may be an accident;
 * when it repeats somebody between us and the service mixes answers up, and a person must know. All that is known of it
 * goes to the log.
 */
export async function tellMixedUp(
  deps: Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'alerts'>,
  account: string,
  fields: Record<string, unknown>,
): Promise<void> {
  deps.log.warn(
    { account, ...fields },
    'The service answered about another document; nothing of it was believed',
  );
  const bucket = `mixed-up ${account}`;
  const { failures } = await deps.ledger.failureCounts.add(bucket, { ms: windowMs, now: deps.clock.now() });
  if (failures < many) return;
  await deps.alerts.raise({
    code: 'answers-mixed-up',
    subject: account,
    what: `El servicio respondió ${failures} veces en un día con el documento de otra solicitud (cuenta ${account}). Nada de eso se creyó: cada documento se averigua por su propia clave.`,
    cure: 'Revise qué hay entre facturapuente y el servicio (un proxy o una caché no debe guardar respuestas de /api); si no hay nada, avise al servicio.',
  });
}
