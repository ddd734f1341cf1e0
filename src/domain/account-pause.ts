import type { Ambiente } from './document.ts';

/** Why an account may not be used: nothing that any single document is to blame for. */
export type PauseCause = 'api-key' | 'credits' | 'provider-data' | 'service' | 'clock';

/** An account that rests until a probe finds the cause gone. */
export interface AccountPause {
  /** The config's account id. */
  account: string;
  /** Null = both: nothing at all is asked of the service for this account. */
  ambiente: Ambiente | null;
  cause: PauseCause;
  /** ISO instant. */
  since: string;
  /** How often it was probed in vain. */
  probes: number;
}

/** What a cause shuts: a wrong key, a dead service and a wrong clock shut everything, the rest only new production documents. */
export function scopeOf(cause: PauseCause): Ambiente | null {
  return cause === 'credits' || cause === 'provider-data' ? 2 : null;
}

/** For the merchant: what is the matter, and what to do about it. */
export const pauseWords: Record<PauseCause, { what: string; cure: string }> = {
  'api-key': {
    what: 'El servicio de facturación no acepta la clave de API de la cuenta.',
    cure: 'Copie la clave vigente desde su perfil en el panel del servicio a la configuración y reinicie facturapuente.',
  },
  credits: {
    what: 'La cuenta no tiene créditos para emitir en producción.',
    cure: 'Recargue la billetera de facturación en el panel del servicio; los documentos saldrán solos.',
  },
  'provider-data': {
    what: 'La cuenta no tiene aprobados los datos de proveedor que producción exige.',
    cure: 'Registre en el panel del servicio un RUC con establecimiento exclusivo de actividad J62021002 o J62021003 y su certificado; al aprobarse, los documentos saldrán solos.',
  },
  service: {
    what: 'El servicio de facturación no responde.',
    cure: 'No hace falta hacer nada: se prueba cada cierto tiempo y los documentos saldrán solos. Si dura, revise baseUrl y la red, o pregunte al servicio.',
  },
  clock: {
    what: 'El reloj de este equipo marca otro día que el del servicio de facturación, que rechaza la fecha de los documentos.',
    cure: 'Ponga en hora este equipo (NTP); los documentos saldrán solos. Si su hora es la correcta, pregunte al servicio.',
  },
};
