import type { SandboxOptions } from '../../sandbox/emulator/index.ts';

/** The services refunds are tried against: what each speaks and computes, and what of it a store's policy says. */
export interface RefundService {
  service: string;
  sandbox: Pick<SandboxOptions, 'dialect' | 'arithmetic'>;
  creditNotes: Record<string, unknown>;
}

export const described: RefundService = { service: 'as described', sandbox: {}, creditNotes: {} };

const otherServices: readonly RefundService[] = [
  {
    service: 'as it was assumed before',
    sandbox: { dialect: 'former' },
    creditNotes: { totales: true, documentoModificado: { tipoNumerico: false, guiones: true } },
  },
  {
    service: 'of the older interface',
    sandbox: { dialect: 'older' },
    creditNotes: { anulaComprobante: 'NO', documentoModificado: { tipoNumerico: false } },
  },
  {
    service: 'as described that sums IVA by line',
    sandbox: { arithmetic: 'line' },
    creditNotes: {},
  },
];

export const refundServices: readonly RefundService[] = [described, ...otherServices];

/** Money and documents agree, give or take the cent that no lines add up to (docs/refunds.md). */
export const isMoney = (documents: string, money: number | string, { creditNotes }: RefundService) =>
  Math.abs(Math.round((Number(documents) - Number(money)) * 100)) <= (creditNotes.totales ? 0 : 1);
