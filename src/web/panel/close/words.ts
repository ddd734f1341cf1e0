import { inBoth } from '../visit.ts';

export const closeWords = inBoth({
  nav: ['Cierre', 'Close'],
  title: ['Cierre del día', 'The day’s close'],
  day: ['Día', 'Day'],
  see: ['Ver', 'See'],
  check: ['Revisar ahora sin guardar', 'Check now without saving'],
  save: ['Cerrar y firmar', 'Close and sign'],
  again: ['Cerrar y firmar otra vez', 'Close and sign again'],
  notYet: ['Este día todavía no se ha cerrado.', 'This day is not closed yet.'],
  how: [
    'El cierre compara lo que la tienda cobró y devolvió, nuestros comprobantes y lo que tiene el servicio, uno por uno y al centavo. Consulta al servicio por cada comprobante: un día con muchos tarda unos minutos.',
    'The close compares what the shop charged and refunded, our documents and what the service has, one by one and to the cent. It asks the service for each document: a day with many takes a few minutes.',
  ],
  month: {
    title: ['El mes para el contador', 'The month for the accountant'],
    says: [
      (month: string) =>
        `Un solo archivo ZIP con el XML y el PDF de cada comprobante autorizado del mes y las tablas para Excel. Con muchos comprobantes tarda unos minutos: espere a que la descarga termine. En la terminal: «facturapuente export --month ${month}».`,
      (month: string) =>
        `One ZIP file with XML and PDF of every authorised document of the month and tables for Excel. With many documents it takes a few minutes: wait until the download has ended. In the terminal: “facturapuente export --month ${month}”.`,
    ],
    month: ['Mes', 'Month'],
    store: ['Tienda', 'Store'],
    all: ['Todas', 'All'],
    download: ['Descargar', 'Download'],
    notAllowed: [
      'Contiene datos de los compradores: lo descargan quienes operan o configuran.',
      'It contains the buyers’ data: those who operate or configure download it.',
    ],
  },
  running: [
    'El cierre sigue en curso; vuelva a esta página en unos minutos.',
    'The close is still running; come back to this page in a few minutes.',
  ],
  results: {
    green: ['El día cuadra.', 'The day adds up.'],
    red: ['El día no cuadra.', 'The day does not add up.'],
    incomplete: [
      'No se pudo conciliar: todavía falta algo.',
      'It could not be reconciled: an answer is missing.',
    ],
    partial: [
      'El registro y el servicio cuadran; una tienda no se puede consultar.',
      'Ledger and service agree; a shop cannot be asked.',
    ],
  },
  provisional: [
    'Es provisional: hay comprobantes en trámite.',
    'It is provisional: documents are in progress.',
  ],
  unsaved: ['Revisado ahora; no está guardado.', 'Checked now; not saved.'],
  fates: ['Situación de lo cobrado y lo devuelto', 'Sales and refunds'],
  columns: {
    what: ['En la tienda', 'In the shop'],
    sales: ['Pedidos pagados', 'Paid orders'],
    refunds: ['Reembolsos', 'Refunds'],
    usd: ['USD', 'USD'],
  },
  rows: {
    sold: ['Total', 'Total'],
    issued: ['Con comprobante autorizado', 'With an authorised document'],
    issuedOtherDay: ['de ellos, con fecha de otro día', 'of these, dated another day'],
    netted: ['Descontados antes de facturar', 'Deducted before invoicing'],
    underWay: ['En trámite', 'In progress'],
    waiting: ['Requieren atención', 'Need attention'],
    unneeded: ['No llevan comprobante', 'Need no document'],
    missing: ['Sin comprobante', 'Without a document'],
  },
  three: ['Las tres cuentas', 'The three accounts'],
  threeSays: [
    'Los comprobantes autorizados con esta fecha, según cada uno.',
    'The authorised documents of this date, according to each.',
  ],
  sides: { shop: ['Tienda', 'Shop'], ours: ['Registro', 'Ledger'], service: ['Servicio', 'Service'] },
  kinds: { factura: ['Facturas', 'Facturas'], 'nota-credito': ['Notas de crédito', 'Notas de crédito'] },
  authorized: ['autorizadas', 'authorised'],
  total: ['total USD', 'total USD'],
  base: ['base', 'base'],
  value: ['valor', 'value'],
  differences: ['Qué no cuadra', 'What does not add up'],
  seeOrder: ['Ver el pedido', 'See the order'],
  seeDocument: ['Ver el comprobante', 'See the document'],
  unanswered: ['Lo que falta para conciliar', 'What is missing'],
  foreign: [
    'Comprobantes del mismo RUC que no son de este sistema (no cuentan)',
    'Documents of the same RUC that are not of this system (they do not count)',
  ],
  roundings: [
    'Redondeos del servicio (vale lo autorizado)',
    'Roundings of the service (the authorised amount counts)',
  ],
  credits: ['Créditos', 'Credits'],
  explained: ['Observaciones', 'Notes'],
  ofOrder: [(order: string) => `Pedido ${order}`, (order: string) => `Order ${order}`],
  signature: ['Firma', 'Signature'],
  signed: [
    'Firmado con la clave de abajo: no ha cambiado desde entonces. «facturapuente close --verify» comprueba que la clave es de esta instalación y que no falta ningún cierre.',
    'Signed with the key below and unchanged since. “facturapuente close --verify” checks that the key is this installation’s and that no close is missing.',
  ],
  altered: [
    'La firma no corresponde al contenido: alguien lo alteró.',
    'The signature does not match the content: somebody altered it.',
  ],
  number: ['Cierre número', 'Close number'],
  at: ['Cerrado', 'Closed'],
  hash: ['Huella', 'Hash'],
  key: ['Clave pública', 'Public key'],
  recent: ['Cierres anteriores', 'Earlier closes'],
  noneRecent: ['Todavía no hay cierres guardados.', 'No close is saved yet.'],
  notAllowed: [
    'Cerrar y firmar es para quienes operan o configuran.',
    'Closing and signing is for those who operate or configure.',
  ],
});
