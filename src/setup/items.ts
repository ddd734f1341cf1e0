import type { InstallItem } from '../domain/install.ts';
import type { Failure, Refused } from '../service/index.ts';

type Rest = { cure?: string | null; done?: boolean };

/** One line of the list. */
export function item(
  code: string,
  what: string,
  state: InstallItem['state'],
  { cure = null, done }: Rest = {},
): InstallItem {
  return { code, what, state, cure, ...(done ? { done } : {}) };
}

/** A call that did not do what it should, and what to do about it. */
export function failed(code: string, what: string, answer: Refused | Failure): InstallItem {
  return item(code, what, 'problem', { cure: cureOf(answer) });
}

function cureOf(answer: Refused | Failure): string {
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
