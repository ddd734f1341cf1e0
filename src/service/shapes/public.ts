import type { Throttled, Unknown } from '../answers.ts';

/** How the service and the tax authority behind it are (assumption A27); unknown words pass as they come. */
export type StatusAnswer =
  | {
      kind: 'status';
      /** `operativo`, `degradado` or `caido`. */
      estado: string;
      sri: { recepcion: string | null; autorizacion: string | null };
      actualizadoEn: string | null;
    }
  | Throttled
  | Unknown;

/** The price table in USD (assumption A27); `body` as it comes, with whatever we do not know to read. */
export type PricesAnswer =
  | {
      kind: 'prices';
      /** Recharge tiers of the billing wallet. */
      facturacion: { recarga: number; precioDocumento: number }[];
      /** Price by `tipo` of verification. */
      verificaciones: Readonly<Record<string, number>>;
      consultas: { gratisPorMes: number | null; precio: number | null };
      body: Readonly<Record<string, unknown>>;
    }
  | Throttled
  | Unknown;
