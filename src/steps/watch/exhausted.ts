import { owner } from '../../core/scope.ts';
import type { StepDeps } from '../deps.ts';
import { seriesAlert } from '../series-stop.ts';

const code = 'series-exhausted';

/** Warns of series that gave their last number while sales wait for one; over when none does any more. */
export async function watchExhausted({ ledger, alerts }: Pick<StepDeps, 'ledger' | 'alerts'>): Promise<void> {
  const lasting = new Set<string>();
  const held = await ledger.documents.list({ states: ['held'], limit: 10_000 });
  for (const document of held.filter((one) => one.code === code)) {
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
  for (const { code: open, subject } of await ledger.alerts.open())
    if (open === code && !lasting.has(subject)) await alerts.over({ code, subject });
}
