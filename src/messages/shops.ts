import { type Group, goesOn } from './message.ts';

const reconnect = 'Conéctela otra vez: install --store TIENDA.';

/** ShopError: the shop could not be read or written. Retryable ones are tried again automatically. */
export const shops = {
  title: 'Tiendas que no responden como deben',
  seen: 'En el registro de líneas, en `install`, `doctor` y `sync`, y en los avisos de la tienda.',
  entries: {
    'store-uninstalled': [
      'La tienda WooCommerce se desinstaló con uninstall: nada nuevo de ella se lee ni se factura.',
      'install la pone otra vez en marcha, también sus pedidos de mientras tanto.',
    ],
    'shop-not-connected': [
      'La tienda WooCommerce todavía no está conectada.',
      'install muestra un enlace; ábralo y apruebe.',
    ],
    'order-id-reused': [
      'Al escribir en un pedido, la tienda tenía otro con ese id; no se escribió nada.',
      goesOn,
    ],
    'shop-unauthorized': ['La tienda no aceptó las claves de su API.', reconnect],
    'shop-refused': [
      'No responde la API de WooCommerce, o no aceptó la consulta.',
      'Active o actualice WooCommerce; revise url y los plugins.',
    ],
    'shop-answer': [
      'Respondió con datos que no se pueden leer.',
      'Revise si un plugin cambia la API de WooCommerce.',
    ],
    'shop-mixed-up': [
      'Respondió con datos de otro pedido; no se creyó nada y se lee de nuevo.',
      'Excluya /wp-json/ de la caché del hosting o del plugin.',
    ],
    'shop-not-json': [
      'Respondió con una página en vez de datos.',
      'Quite el modo de mantenimiento o «próximamente».',
    ],
    'shop-password': [
      'El servidor pide una contraseña antes de WordPress.',
      'Quite esa protección de /wp-json/.',
    ],
    'shop-blocked': [
      'Un firewall o CDN bloquea las consultas.',
      'Permita /wp-json/wc/v3/ para «facturapuente».',
    ],
    'shop-permalinks': [
      'La API no está en esa dirección.',
      'En Ajustes, Enlaces permanentes, elija otra opción que «Simple»; revise url.',
    ],
    'shop-php-output': [
      'Un plugin escribe avisos de PHP dentro de las respuestas.',
      'WP_DEBUG_DISPLAY en false en wp-config.php.',
    ],
    'shop-failing': [
      'WordPress o su servidor falló.',
      'Mire el registro de errores y el último plugin actualizado. Se intenta otra vez.',
    ],
    'shop-busy': ['El hosting limita las consultas.', 'Pídale que permita más. Se intenta otra vez.'],
    'shop-redirects': ['La tienda redirige a otra dirección.', 'Escriba en url la dirección final.'],
    'shop-timeout': [
      'Tardó demasiado.',
      'Se intenta otra vez; si se repite, suba timeoutMs o mejore el hosting.',
    ],
    'shop-certificate': ['El certificado HTTPS no es válido.', 'Renuévelo, o corrija url.'],
    'shop-private': [
      'El dominio lleva a una red privada.',
      'Corrija su DNS, o escriba la red en outbound.allow.',
    ],
    'shop-unreachable': [
      'No se pudo llegar a la tienda.',
      'Revise dirección, certificado y firewall. Se intenta otra vez.',
    ],
    'shop-renamed': [
      'La tienda se mudó de dirección y este proceso todavía no lo toma.',
      'Nada: sigue en unos segundos con los pedidos de siempre.',
    ],
    'lock-taken': ['Otro proceso cambia el acceso a la misma tienda.', goesOn],
    'renewal-elsewhere': [
      'El acceso vence ahora y solo start puede renovarlo.',
      'Repita cuando start haya preguntado a la tienda.',
    ],
    'shopify-unauthorized': [
      'Shopify no aceptó las credenciales.',
      'Revise clientId, clientSecrets y accessToken, y que la app esté instalada.',
    ],
    'shopify-app-refused': [
      'Shopify no reconoce la app.',
      'Revise clientId y el primero de clientSecrets con el Dev Dashboard.',
    ],
    'shopify-catalog-scope': [
      'Para ver los productos la app necesita read_products, que para facturar no hace falta.',
      'Agregue ese permiso a la app e instálela otra vez.',
    ],
    'shopify-forbidden': ['La app no tiene permiso.', 'Dele read_orders, write_orders y read_customers.'],
    'shopify-not-installed': ['La app no está instalada en la tienda.', 'Abra /shopify/auth?shop=TIENDA.'],
    'shopify-reinstall': ['Shopify dejó de aceptar el acceso.', 'Abra /shopify/auth?shop=TIENDA otra vez.'],
    'shopify-install-raced': [
      'Dos instalaciones de la misma tienda terminaron a la vez.',
      'Abra la app otra vez.',
    ],
    'shopify-shop-closed': [
      'Shopify suspendió o bloqueó la tienda.',
      'Resuélvalo en Shopify; se mira cada hora.',
    ],
    'shopify-throttled': ['Shopify está ocupado.', goesOn],
    'shopify-unavailable': ['Shopify está ocupado o falló.', goesOn],
    'shopify-timeout': ['Shopify no respondió a tiempo.', goesOn],
    'shopify-unreachable': ['No se pudo llegar a Shopify.', goesOn],
    'shopify-answered-page': ['Shopify respondió con una página.', goesOn],
    'shopify-mixed-up': ['Shopify respondió con datos de otro pedido; no se creyó nada.', goesOn],
    'shopify-order-changing': ['El pedido cambió mientras se leía.', goesOn],
    'shopify-unexpected-answer': [
      'Shopify no encuentra la tienda o respondió algo que no se puede leer.',
      'Revise shop y apiVersion; si están bien, avise al soporte técnico.',
    ],
    'shopify-query-refused': [
      'Shopify no aceptó una consulta.',
      'Revise apiVersion; avise al soporte técnico.',
    ],
    'shopify-write-refused': [
      'Shopify no aceptó los datos de la factura en el pedido.',
      'Ejecute install --store TIENDA; si se repite, avise al soporte técnico.',
    ],
    'shopify-too-many-refunds': [
      'El pedido tiene más reembolsos de los que Shopify entrega.',
      'Atiéndalo a mano.',
    ],
    'shopify-too-many-transactions': [
      'El pedido tiene más transacciones de las que Shopify entrega.',
      'Atiéndalo a mano.',
    ],
  },
} satisfies Group;
