import { sum } from '../src/domain/money.ts';
import type { TotalBody } from './body.ts';
import type { Entry } from './entries.ts';
import type { IceGroup } from './ice.ts';
import { irbpnrRate } from './tables/excise.ts';
import { ivaRate } from './tax.ts';
import type { Group } from './totals.ts';

/**
 * The `totales` block, always stated: the service's own computation is not shown (spec, tax total block; ADR 3).
 * IVA rows first, then ICE (`codigo` 3) and IRBPNR (`codigo` 5, its base in units; docs/assumptions.md A20).
 */
export function toTotales(
  groups: readonly Group[],
  ice: readonly IceGroup[],
  entries: readonly Entry[],
): TotalBody[] {
  const bottles = entries.filter(({ irbpnr }) => irbpnr !== null && !irbpnr.isZero());
  const units = sum(bottles.map(({ quantity }) => quantity));
  return [
    ...groups.map(({ code, base, valor }) => ({
      codigo: '2' as const,
      codigo_porcentaje: String(code),
      base_imponible: base.toNumber(),
      tarifa: Number(ivaRate(code)),
      valor: valor.toNumber(),
    })),
    ...iceRows(ice),
    ...(bottles.length === 0
      ? []
      : [
          {
            codigo: '5' as const,
            codigo_porcentaje: '5001',
            base_imponible: units.toNumber(),
            tarifa: Number(irbpnrRate),
            valor: units.times(irbpnrRate).toNumber(),
          },
        ]),
  ];
}

function iceRows(ice: readonly IceGroup[]): TotalBody[] {
  return [...new Set(ice.map(({ codigo }) => codigo))].sort().map((codigo) => {
    const same = ice.filter((group) => group.codigo === codigo);
    return {
      codigo: '3' as const,
      codigo_porcentaje: String(codigo),
      base_imponible: sum(same.map(({ base }) => base)).toNumber(),
      tarifa: Number(same[0]?.tarifa ?? 0),
      valor: sum(same.map(({ valor }) => valor)).toNumber(),
    };
  });
}
