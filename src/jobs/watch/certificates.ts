import { ecuadorDay } from '../../domain/calendar.ts';
import { IssuerRecord, issuersUnder } from '../../domain/issuer-record.ts';
import { owner } from '../../domain/scope.ts';
import type { StepDeps } from '../deps.ts';

const day = 86_400_000;
/** Days before the end at which a person is told; each but the first takes the place of the one before. */
const stages = [60, 30, 7, 1, 0] as const;
const code = 'certificate-expiring';

type CertificateDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'accounts'>;

/** Warns of electronic signatures that end soon: without one the service signs nothing. Known of those `install` uploaded. */
export async function watchCertificates({ ledger, clock, alerts, accounts }: CertificateDeps): Promise<void> {
  const now = clock.now().getTime();
  for (const name of await ledger.credentials.shops(issuersUnder)) {
    const [account = '', ruc = ''] = name.split(' ');
    const kept = await ledger.credentials.get({ platform: issuersUnder, shop: name });
    const { signature } = IssuerRecord.safeParse(kept?.value).data ?? {};
    if (!signature || !accounts.has(account)) continue;
    const left = (Date.parse(signature.until) - now) / day;
    const stage = stages.findLast((days) => left <= days);
    for (const past of stages) {
      const alert = { code, subject: `${name} ${past}` };
      if (stage === undefined) await alerts.over(alert);
      // The nearer one says it: nothing was resolved.
      else if (past !== stage) await ledger.alerts.forget(alert);
    }
    if (stage === undefined) continue;
    const until = ecuadorDay(new Date(signature.until));
    await alerts.raise({
      code,
      subject: `${name} ${stage}`,
      about: owner.issuer(account, ruc),
      what:
        stage === 0
          ? `La firma electrónica de ${signature.owner} (RUC ${ruc}) caducó el ${until}: ninguna factura se puede firmar.`
          : `La firma electrónica de ${signature.owner} (RUC ${ruc}) caduca el ${until}: ${stage === 1 ? 'queda un día' : `quedan menos de ${stage} días`}.`,
      cure: 'Renuévela con su certificadora y suba la nueva con «facturapuente install --signature firma.p12».',
    });
  }
}
