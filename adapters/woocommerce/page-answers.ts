import { ShopError } from '../../src/domain/errors.ts';
import type { Answer } from './answers.ts';
import { readRetryAfter, stillAtItMs } from './retry-after.ts';

interface Explained {
  code: string;
  /** What is the matter and its cure, one sentence. */
  merchant: string;
  engineer: string;
  retryable: boolean;
}

/**
 * A page where data should be: WordPress in maintenance, a firewall, a host's own error page. Of the page only what
 * it is leaves here, never a word of it. `mayBeAtIt`: the shop may still be doing what was asked.
 */
export function explainPage(what: string, answer: Answer, now: Date, mayBeAtIt: boolean): ShopError {
  const { code, merchant, engineer, retryable } = explain(answer);
  const then = retryable ? ' Se intentará de nuevo.' : '';
  const named = readRetryAfter(answer.retryAfter, now);
  const retryAfterMs = named ?? (mayBeAtIt ? stillAtItMs : null);
  return new ShopError(code, `${merchant}${then}`, `${what} without JSON: ${engineer}`, {
    retryable,
    outage: retryable && named === null,
    ...(retryable && retryAfterMs !== null && { retryAfterMs }),
  });
}

function explain({ status, text, server = '', challenge }: Answer): Explained {
  if (status === 401 && challenge !== undefined) {
    return {
      code: 'shop-password',
      merchant:
        'El servidor pide una contraseña antes de llegar a WordPress (sitio de pruebas protegido): quite esa protección de «/wp-json/».',
      engineer: 'HTTP authentication in front of WordPress. Exempt /wp-json/.',
      retryable: false,
    };
  }
  if (status === 429) {
    return {
      code: 'shop-busy',
      merchant:
        'El hosting de la tienda limita cuántas consultas recibe: pídale que permita más a «/wp-json/wc/v3/».',
      engineer: 'the host limits the rate.',
      retryable: true,
    };
  }
  if (isFirewall(status, text, server)) {
    return {
      code: 'shop-blocked',
      merchant:
        'El firewall o CDN de la tienda bloquea las consultas: permita en él «/wp-json/wc/v3/» para «facturapuente».',
      engineer: `a firewall or CDN (${server.slice(0, 40) || 'unnamed'}). Allow our user agent on /wp-json/wc/v3/.`,
      retryable: true,
    };
  }
  if (status === 404) {
    return {
      code: 'shop-permalinks',
      merchant:
        'La API de WordPress no está en esta dirección: en Ajustes → Enlaces permanentes elija cualquier opción menos «Simple», y revise que «url» lleve la carpeta de la tienda.',
      engineer: 'plain permalinks, a wrong folder in url, or a server without rewrite rules.',
      retryable: false,
    };
  }
  if (/<b>(Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>/.test(text)) {
    return {
      code: 'shop-php-output',
      merchant:
        'Un plugin de la tienda escribe avisos de PHP dentro de las respuestas: ponga WP_DEBUG_DISPLAY en false en wp-config.php.',
      engineer: 'PHP notices in the answer. Set WP_DEBUG_DISPLAY to false and mend the plugin.',
      retryable: true,
    };
  }
  if (status >= 500 && status !== 503) {
    return {
      code: 'shop-failing',
      merchant:
        'WordPress o su servidor falló con un error crítico: revise el registro de errores y el último plugin actualizado.',
      engineer: 'a crash of PHP or of the server before it. See the error log of WordPress.',
      retryable: true,
    };
  }
  if (status === 200 || status === 503) {
    return {
      code: status === 503 ? 'shop-failing' : 'shop-not-json',
      merchant:
        'La tienda respondió con una página en vez de datos; desactive el modo de mantenimiento o «próximamente» cuando termine.',
      engineer: 'a maintenance or coming-soon page. Open the address in a browser.',
      retryable: true,
    };
  }
  return {
    code: 'shop-refused',
    merchant:
      'El servidor de la tienda rechazó la consulta antes de llegar a WordPress: consulte a su hosting.',
    engineer: 'the server in front of WordPress refused it. Ask the host.',
    retryable: false,
  };
}

/** 403 and 406 with a page are of no WordPress; others say who they are. */
function isFirewall(status: number, text: string, server: string): boolean {
  if (status === 403 || status === 406) return true;
  if (/\b(sucuri|imperva|incapsula|wordfence|imunify360|litespeed captcha)\b/i.test(text.slice(0, 20_000)))
    return true;
  return (
    /cloudflare/i.test(server) && /\b(cf-|challenge-platform|just a moment)/i.test(text.slice(0, 20_000))
  );
}
