import { describe, expect, test } from 'vitest';
import { dayInEcuador } from '../../sandbox/emulator/clock.ts';
import { hasShared, readShared } from '../support/shared.ts';
import { start } from './support.ts';

// Documents the tax authority has authorised (two are made up), sent again as a client of the service would
// have sent them: every figure stated as it stands in the XML. Only totalSinImpuestos cannot be stated, which
// in sample 07 is 0.00 beside lines of 0.07.

const samples: { file: string }[] = hasShared ? JSON.parse(readShared('data/sri/samples/index.json')) : [];

const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((match) => match[1] ?? '');
const one = (xml: string, name: string) => all(xml, name)[0];
const number = (xml: string, name: string) => Number(one(xml, name));
const plain = (text = '') => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
/** `dd/mm/yyyy` as the service writes it. */
const day = (text = '') => text.split('/').reverse().join('/');

interface Sample {
  path: string;
  date: string;
  body: Record<string, unknown>;
}

function bodyOf(xml: string): Sample {
  const isNote = xml.includes('<notaCredito');
  const info = one(xml, isNote ? 'infoNotaCredito' : 'infoFactura') ?? '';
  const fecha = day(one(info, 'fechaEmision'));
  const optional = (name: string, value: string | undefined) => (value ? { [name]: plain(value) } : {});
  const common = {
    emisor: {
      nombre_comercial: plain(one(xml, 'nombreComercial') ?? one(xml, 'razonSocial')),
      razon_social: plain(one(xml, 'razonSocial')),
      ruc: one(xml, 'ruc'),
      codigo_establecimiento: one(xml, 'estab'),
      codigo_puntoemision: one(xml, 'ptoEmi'),
      direccion_matriz: plain(one(xml, 'dirMatriz')),
      direccion_establecimiento: plain(one(info, 'dirEstablecimiento')),
      obligado_contabilidad: one(info, 'obligadoContabilidad'),
      ...optional('contribuyente_especial', one(info, 'contribuyenteEspecial')),
      secuencial: one(xml, 'secuencial'),
      fecha_emision: fecha,
    },
    ambiente: 1,
    comprador: {
      identificacion: one(info, 'identificacionComprador'),
      tipo_identificacion: one(info, 'tipoIdentificacionComprador'),
      razon_social: one(info, 'razonSocialComprador'),
      direccion: one(info, 'direccionComprador') ?? 'S/N',
    },
    items: all(one(xml, 'detalles') ?? '', 'detalle').map((line) => ({
      ...optional('codigo_principal', one(line, 'codigoPrincipal') ?? one(line, 'codigoInterno')),
      ...optional('codigo_auxiliar', one(line, 'codigoAuxiliar') ?? one(line, 'codigoAdicional')),
      descripcion: plain(one(line, 'descripcion')),
      cantidad: number(line, 'cantidad'),
      precio_unitario: number(line, 'precioUnitario'),
      descuento: number(line, 'descuento'),
      precio_total_sin_impuesto: number(line, 'precioTotalSinImpuesto'),
      tipoproducto: 1,
      tipo_iva: number(line, 'codigoPorcentaje'),
    })),
    totales: all(info, 'totalImpuesto').map((row) => ({
      codigo: one(row, 'codigo'),
      codigo_porcentaje: one(row, 'codigoPorcentaje'),
      base_imponible: number(row, 'baseImponible'),
      valor: number(row, 'valor'),
    })),
    informacion_adicional: [...xml.matchAll(/<campoAdicional nombre="([^"]*)">(.*?)</g)]
      .map(([, nombre = '', detalle = '']) => ({ nombre, detalle }))
      .filter(({ nombre }) => nombre !== 'RUC Proveedor'),
  };
  if (!isNote) {
    const pagos = all(info, 'pago').map((pago) => ({
      tipo: number(pago, 'formaPago'),
      total: number(pago, 'total'),
    }));
    return {
      path: '/api/factura/emision',
      date: fecha,
      body: pagos.length > 0 ? { ...common, pagos } : common,
    };
  }
  const documento_modificado = {
    codigo_documento_sustento: one(info, 'codDocModificado'),
    numero_documento_sustento: one(info, 'numDocModificado'),
    fecha_documento_sustento: day(one(info, 'fechaEmisionDocSustento')),
    motivo: plain(one(info, 'motivo')),
  };
  return { path: '/api/credito/emision', date: fecha, body: { ...common, documento_modificado } };
}

describe.skipIf(!hasShared)('documents the tax authority has authorised', () => {
  test.each(samples.map(({ file }) => file))('%s', async (file) => {
    const { path, date, body } = bodyOf(readShared(`data/sri/samples/${file}`));
    const noonThatDay = new Date(`${date.replaceAll('/', '-')}T17:00:00Z`);
    expect(dayInEcuador(noonThatDay)).toBe(date);
    const { send, settled } = await start({ now: () => noonThatDay, dialect: 'former' });
    const { body: answer } = await send('POST', path, body);
    expect(answer).toMatchObject({ creado: true });
    expect(await settled(answer.claveacceso)).toMatchObject({ autorizado: true });
  });
});
