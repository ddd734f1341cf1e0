import type { Failure, NoFunds, Refused } from '../answers.ts';
import { digits } from './checked.ts';

export const ruc = digits(13);
export const cedula = digits(10);

/** Which of the routes that answer the same is asked (spec, "Paths known": alias; GET and POST). */
export interface LookUpOptions {
  /** `sri` is the default, `consulta` its alias. */
  prefix?: 'sri' | 'consulta';
  /** POST keeps the number out of the address. */
  method?: 'GET' | 'POST';
}

/** A taxpayer (assumption A24). */
export interface RucFacts {
  ruc: string | null;
  razonSocial: string | null;
  nombreComercial: string | null;
  estado: string | null;
  tipoContribuyente: string | null;
  obligadoContabilidad: string | null;
  actividad: string | null;
}

/** A person (assumption A24). */
export interface CedulaFacts {
  cedula: string | null;
  nombre: string | null;
}

/**
 * `data` as it comes, `facts` what we know to read of it. `cache`: from the 24 hours' cache; `costo` in USD.
 * `not-found`: the registry has no such number; it costs nothing. `no-funds`: the queries wallet is empty.
 */
export type LookUpAnswer<Facts> =
  | {
      kind: 'found';
      facts: Facts;
      data: Readonly<Record<string, unknown>>;
      cache: boolean | null;
      costo: number | null;
      gratisRestantes: number | null;
      aviso: string | null;
    }
  | { kind: 'not-found'; mensaje: string | null }
  | NoFunds
  | Refused
  | Failure;
