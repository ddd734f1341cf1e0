import { owner } from '../../domain/scope.ts';
import { keepOnly } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';
import { seriesAlert } from '../series-stop.ts';

const code = 'series-exhausted';

/** Warns of series that gave their last number while sales wait for one; over when none does any more. */
export async function watchExhausted({ ledger, alerts }: Pick<StepDeps, 'ledger' | 'alerts'>): Promise<void> {
  const lasting = new Set<string>();
  for (const document of await ledger.documents.list({ states: ['held'], code, limit: 10_000 })) {
    const { subject } = seriesAlert(document);
    if (lasting.has(subject)) continue;
    lasting.add(subject);
    await alerts.raise({
      code,
      subject,
      about: owner.series(document),
      what: document.reason ?? '',
      cure: 'Abra otro punto de emisión en el SRI, escríbalo en series de la configuración y reinicie: las ventas que esperan siguen solas.',
    });
  }
  await keepOnly({ ledger, alerts }, code, ({ subject }) => lasting.has(subject));
}
