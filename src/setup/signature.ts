import { ecuadorDay } from '../domain/clock.ts';
import type { IssuerRecord } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import { readSignature, type Signature } from './certificates/signature.ts';
import { failed, item, type SetupDeps } from './deps.ts';
import { fingerprint, type OpenRecord } from './records.ts';

/** A file to upload, or why it could not be read, in Spanish. */
export type FileGiven = { bytes: Uint8Array } | { problem: string };

/** The .p12 and its password, null where `passwordEnv` is empty. */
export interface SignatureGiven {
  file: FileGiven;
  password: string | null;
  passwordEnv: string;
}

const code = 'signature';
const what = 'Firma electrónica';
/** Below it the signature should be renewed; the first alert is raised on the same day. */
const soonDays = 60;
const day = 86_400_000;

/** Checks the .p12 here (owner, RUC, dates), then uploads it unless the service has it. */
export async function setUpSignature(
  deps: SetupDeps,
  ruc: string,
  given: SignatureGiven | null,
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  const { apply, now, resend, service } = deps;
  const { signature: sent } = record.value;
  if (given === null) return sent ? certificateItem(sent, now) : nothingSent();
  const { file, password, passwordEnv } = given;
  if ('problem' in file) return sent ? certificateItem(sent, now) : problem(file.problem);
  const wanted = fingerprint(file.bytes);
  if (sent?.file === wanted && !(resend && apply)) return certificateItem(sent, now);
  if (password === null)
    return problem(
      `Falta la contraseña del .p12: escríbala en la variable de entorno ${passwordEnv} o en .env.`,
    );
  const read = await readSignature(Buffer.from(file.bytes), password, now);
  if ('blame' in read)
    return problem(
      read.blame === 'password'
        ? `${read.sentence} Revise ${passwordEnv}.`
        : `${read.sentence} Pida a su certificadora una firma vigente en archivo .p12.`,
    );
  if (read.ruc !== null && read.ruc !== ruc)
    return problem(
      `El certificado de ${read.titular} es del RUC ${read.ruc} y el emisor es ${ruc}: use la firma del emisor o corrija su RUC.`,
    );
  if (!apply)
    return item(code, what, sent ? 'differs' : 'missing', {
      resolution: `${facts(read)} Todavía no se ha subido.`,
    });
  const saved = await service.subirFirmaElectronica({ ruc, firma_file: file.bytes, password });
  if (saved.kind === 'not-found')
    return problem('El servicio no conoce la empresa: resuelva primero lo que se dice de ella.');
  if (saved.kind !== 'saved') return failed(code, what, saved);
  const kept = { file: wanted, owner: read.titular, until: new Date(read.valido_hasta).toISOString() };
  await record.save({ signature: kept });
  return { ...certificateItem(kept, now), done: true };
}

/** The state of the uploaded certificate today. */
function certificateItem({ owner, until }: NonNullable<IssuerRecord['signature']>, now: Date): InstallItem {
  const left = Math.floor((Date.parse(until) - now.getTime()) / day);
  const label = `${what} de ${owner}, vale hasta el ${ecuadorDay(new Date(until))}`;
  if (left < 0)
    return item(code, label, 'problem', {
      resolution:
        'Caducó: ninguna factura se puede firmar. Renuévela con su certificadora y repita install con el archivo nuevo.',
    });
  if (left >= soonDays) return item(code, label, 'ok');
  return item(code, label, 'warning', {
    resolution: `Caduca en ${left} ${left === 1 ? 'día' : 'días'}: renuévela con su certificadora y repita install con el archivo nuevo.`,
  });
}

const problem = (resolution: string) => item(code, what, 'problem', { resolution });

const facts = ({ titular, valido_hasta, ruc }: Signature) =>
  `Es de ${titular}, vale hasta el ${ecuadorDay(new Date(valido_hasta))}${ruc === null ? ' y no nombra un RUC.' : '.'}`;

function nothingSent(): InstallItem {
  return item(code, what, 'warning', {
    resolution:
      'No se ha subido desde aquí. Si no está ya en el panel del servicio, nombre el .p12 en «signature» del emisor o use --signature, y repita.',
  });
}
