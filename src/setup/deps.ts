import type { InstallItem } from '../domain/platform.ts';
import type { Failure, Refused, ServiceCalls } from '../service/index.ts';
import type { Records } from './records.ts';

export interface SetupDeps {
  /** With the account's newest key. */
  service: ServiceCalls;
  records: Records;
  now: Date;
  /** False only checks. A second run with true changes nothing. */
  apply: boolean;
  /** Replaces what another system set in the service: a company's data, the account's webhook. */
  replace: boolean;
  /** Sends everything again. */
  resend: boolean;
  /** A person confirms documents of ambiente 2. */
  production: boolean;
}

type Rest = { resolution?: string | null; done?: boolean };

export function item(
  code: string,
  what: string,
  state: InstallItem['state'],
  { resolution = null, done }: Rest = {},
): InstallItem {
  return { code, what, state, resolution, ...(done ? { done } : {}) };
}

/** The item of a call that failed. */
export function failed(code: string, what: string, answer: Refused | Failure): InstallItem {
  return item(code, what, 'problem', { resolution: resolutionOf(answer) });
}

function resolutionOf(answer: Refused | Failure): string {
  switch (answer.kind) {
    case 'unauthorized':
      return 'El servicio no acepta la clave de API: cópiela otra vez del panel de su cuenta.';
    case 'throttled':
      return 'El servicio pide esperar (300 llamadas por minuto): repita en un minuto.';
    case 'refused':
      return `El servicio no lo acepta: ${answer.errors.join(' ') || 'sin decir por qué.'}`;
    default:
      return 'El servicio no respondió como debe: revise «baseUrl» y su conexión, y repita; nada se envía dos veces.';
  }
}
