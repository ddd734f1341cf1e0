import type { Settings } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: checks break bodies in every way a type would forbid.
export type Body = Record<string, any>;

/** Today in Ecuador (UTC−5, no daylight saving) shifted by `days`, as `YYYY/MM/DD`. */
export function dayInEcuador(days = 0): string {
  const instant = new Date(Date.now() - 5 * 3_600_000 + days * 86_400_000);
  return instant.toISOString().slice(0, 10).replaceAll('-', '/');
}

/** A synthetic person without an e-mail address, so that no mail is sent. */
const comprador = {
  identificacion: '2459999997',
  tipo_identificacion: '05',
  razon_social: 'Persona de Prueba Peñafiel',
  direccion: 'Calle de Prueba 1',
};

const camiseta = {
  codigo_principal: 'CONFORMIDAD-A',
  descripcion: 'Artículo de prueba',
  cantidad: 2,
  precio_unitario: 10,
  tipoproducto: 1,
  tipo_iva: 4,
};

function head({ emisor, series }: Settings, secuencial: string): Body {
  return {
    emisor: {
      ...emisor,
      codigo_establecimiento: series.establecimiento,
      codigo_puntoemision: series.puntoEmision,
      secuencial,
      fecha_emision: dayInEcuador(),
    },
    // Never 2: there a document is real.
    ambiente: 1,
    comprador: { ...comprador },
  };
}

/** A correct factura of 28.00: 20.00 at 15 % and 5.00 at 0 %. Amounts and payments agree. */
export function correctFactura(settings: Settings, secuencial: string): Body {
  return {
    ...head(settings, secuencial),
    items: [
      { ...camiseta },
      { ...camiseta, codigo_principal: 'CONFORMIDAD-B', cantidad: 1, precio_unitario: 5, tipo_iva: 0 },
    ],
    pagos: [{ tipo: 20, total: 28 }],
    informacion_adicional: [{ nombre: 'Motivo', detalle: 'Prueba de conformidad' }],
  };
}

/** A nota de crédito over one line of a factura issued today, as it is described in public (assumption A21). */
export function correctNotaCredito(settings: Settings, secuencial: string, numeroFactura: string): Body {
  return {
    ...head(settings, secuencial),
    items: [{ ...camiseta, cantidad: 1 }],
    documento_modificado: {
      codigo_documento_sustento: 1,
      numero_documento_sustento: numeroFactura,
      fecha_documento_sustento: dayInEcuador(),
      motivo: 'Devolución de prueba',
    },
  };
}

/** Sets what a dotted path names; `undefined` removes it. `items.0.cantidad` */
export function put(body: Body, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const place = names.reduce<Body>((inner, name) => {
    inner[name] ??= {};
    return inner[name];
  }, body);
  if (value === undefined) delete place[last];
  else place[last] = value;
}
