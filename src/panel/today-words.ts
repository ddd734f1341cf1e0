import { type Html, html } from '../domain/text.ts';
import { plural } from './visit.ts';

export const todayWords = {
  nav: 'Hoy',
  title: 'Hoy',
  figures: {
    factura: 'Facturas autorizadas',
    'nota-credito': 'Notas de crédito',
    underWay: 'En trámite',
    noAction: 'no requieren acción',
    waiting: 'Requieren atención',
    below: 'detalle abajo',
    none: 'ninguno',
    test: 'Todavía se emite en el ambiente de pruebas: estos documentos no tienen validez tributaria.',
  },
  list: 'Pendientes',
  nothing: {
    title: 'Todo está al día',
    message:
      'Nada requiere su atención. Cuando un pedido necesite algo que el sistema no puede decidir, aparecerá aquí con el motivo y el botón que lo resuelve.',
  },
  more: (n: number) => `Se muestran los ${n} más antiguos.`,
  order: (name: string) => `Pedido ${name}`,
  since: 'desde',
  left: (left: Html) => html`al comprador le quedan ${left}`,
  unanswered: 'el comprador no respondió',
  answered: 'el comprador ya respondió',
  refused: 'el SRI no la autoriza',
  noReason: 'Sin motivo registrado.',
  group: (n: number) => `${plural(n, 'documento', 'documentos')} por el mismo motivo`,
  which: 'Ver cuáles',
  pause: {
    title: (account: string) => `La cuenta ${account} está en pausa`,
    waiting: (n: number) => plural(n, 'documento en espera', 'documentos en espera'),
  },
  ambiente: {
    1: 'pruebas',
    2: 'producción',
    both: 'pruebas y producción',
  },
  series: {
    title: (series: string) => `La serie ${series} está detenida`,
    resolution:
      'Revise qué documento usa ese número. Después escriba en la configuración un primer número libre (series.first) y reinicie, o emita desde otro punto de emisión; los documentos retenidos saldrán sin hacer nada más.',
  },
  alert: 'Aviso',
  acts: {
    readAgain: 'Actualizar desde la tienda',
    readAllAgain: (n: number) => `Actualizar los ${n} pedidos desde la tienda`,
    retry: 'Intentar otra vez',
    accept: {
      'order-id-reused': 'Es otra venta: facturarla',
      'refund-id-reused': 'Es otro reembolso: emitir su nota de crédito',
      'unknown-access-key': 'La clave es de otra venta: facturarlo',
      'sub-orders': 'No es parte del otro cobro: facturarlo',
      'changed-after-payment': (amount: string) => `Se cobró ${amount}: facturarlo`,
    },
    newNumber: 'Facturar con otro número',
    identify: 'Ingresar la identificación',
    probe: 'Probar la cuenta ahora',
    clear: 'Ya lo revisé',
    timeline: 'Ver el historial',
  },
  allDone: (n: number) => `Se actualizan ${n} pedidos desde la tienda y se planifican de nuevo.`,
};
