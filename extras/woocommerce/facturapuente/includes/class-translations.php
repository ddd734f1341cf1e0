<?php
/**
 * The Spanish of this plugin, for every Spanish of WordPress (es_EC, es_ES, es_MX …), without compiled files.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Answers for texts that no language pack has translated.
 */
final class Translations {

	/** Hooks. */
	public static function init() {
		add_filter( 'gettext_facturapuente', array( __CLASS__, 'translate' ), 10, 2 );
	}

	/**
	 * The Spanish of a text.
	 *
	 * @param string $translation What WordPress found.
	 * @param string $text        The English text.
	 * @return string
	 */
	public static function translate( $translation, $text ) {
		static $spanish = null;
		if ( $translation !== $text || 0 !== strpos( determine_locale(), 'es' ) ) {
			return $translation;
		}
		if ( null === $spanish ) {
			$spanish = require __DIR__ . '/../languages/es.php';
		}
		return isset( $spanish[ $text ] ) ? $spanish[ $text ] : $text;
	}
}
