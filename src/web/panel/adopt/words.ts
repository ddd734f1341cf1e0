import { inBoth } from '../words.ts';

export const adoptWords = inBoth(
  {
    title: (order: string) => `Clave de acceso para el pedido ${order}`,
    back: 'Volver a lo que espera',
    how: 'Busque el documento por su número en el panel del servicio o en el portal del SRI y copie aquí los 49 dígitos de su clave de acceso. Antes de aceptarla se comprueba que sea de este pedido.',
    number: 'Número',
    key: 'Clave de acceso',
    hint: '49 dígitos; los espacios no importan.',
    vouched:
      'El servicio no muestra este documento: yo comprobé en el portal del SRI que está autorizado y es de este pedido.',
    submit: 'Dar la clave',
    over: 'Ese documento no espera una clave de acceso.',
  },
  {
    title: (order: string) => `Access key for order ${order}`,
    back: 'Back to what waits',
    how: 'Find the document by its number in the panel of the service or on the SRI’s site and copy the 49 digits of its access key. Before it is taken it is checked to be this order’s.',
    number: 'Number',
    key: 'Access key',
    hint: '49 digits; spaces do not matter.',
    vouched:
      'The service does not show this document: I have seen on the SRI’s site that it is authorised and is this order’s.',
    submit: 'Give the key',
    over: 'That document does not wait for an access key.',
  },
);
