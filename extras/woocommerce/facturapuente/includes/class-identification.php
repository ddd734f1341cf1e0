<?php
/**
 * Ecuadorian identifications, by the same rules as facturapuente itself (src/domain/identification.ts). Both are tested
 * against one file of examples. No WordPress in here.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || defined( 'FACTURAPUENTE_TEST' ) || exit;

/**
 * Cédula, RUC, the thirteen nines of consumidor final, and passports.
 */
final class Identification {

	const FINAL_CONSUMER = '9999999999999';

	/** What buyers write before the number. */
	const LABEL = '/^(?:ruc|cedula|de|identidad|ciudadania|identificacion|ci|cc|dni|id|ec|numero|num|nro|no)+(?=[0-9])/';

	/**
	 * Cédula or RUC by the digits alone.
	 *
	 * @param string $written As the buyer wrote it.
	 * @return array{type: ?string, value: ?string, flaw: ?string, digits: int} Type cedula, ruc or consumidor-final; else the
	 *               flaw: not-a-number, length, province, check-digit or establishment.
	 */
	public static function examine( $written ) {
		$number = self::bare_number( $written );
		if ( ! preg_match( '/^[0-9]+$/D', $number ) ) {
			return self::wrong( 'not-a-number', $number );
		}
		if ( preg_match( '/^9{10,13}$/D', $number ) ) {
			return self::right( 'consumidor-final', self::FINAL_CONSUMER );
		}
		if ( 10 === strlen( $number ) ) {
			if ( ! self::has_province( $number ) ) {
				return self::wrong( 'province', $number );
			}
			return self::passes_modulo_10( $number ) ? self::right( 'cedula', $number ) : self::wrong( 'check-digit', $number );
		}
		$flaw = self::ruc_flaw( $number );
		return null === $flaw ? self::right( 'ruc', $number ) : self::wrong( $flaw, $number );
	}

	/**
	 * A passport as the factura takes it: 3 to 20 letters, digits and dashes, with a digit among them.
	 *
	 * @param string $written As the buyer wrote it.
	 * @return string|null
	 */
	public static function passport( $written ) {
		$id = preg_replace( '/[\s.]/u', '', (string) $written );
		if ( null === $id ) {
			return null;
		}
		$id = function_exists( 'mb_strtoupper' ) ? mb_strtoupper( $id, 'UTF-8' ) : strtr( strtoupper( $id ), array( 'ñ' => 'Ñ' ) );
		return preg_match( '/^[\p{L}0-9-]{3,20}$/uD', $id ) && preg_match( '/[0-9]/', $id ) ? $id : null;
	}

	/**
	 * Whether a valid RUC is a company's and no person's, so that the factura needs its razón social.
	 *
	 * @param string $ruc Thirteen digits.
	 * @return bool
	 */
	public static function is_company( $ruc ) {
		return '9' === $ruc[2] || ! self::passes_modulo_10( $ruc );
	}

	/**
	 * Whether a cédula or RUC may be one of Ecuador's telephones: one mobile number in ten passes for a cédula.
	 *
	 * @param string $id Digits.
	 * @return bool
	 */
	public static function may_be_telephone( $id ) {
		return 1 === preg_match( '/^09(39|5[89]|[6-9][0-9])[0-9]{6}$/D', $id ) || 0 === strpos( $id, '0593' );
	}

	/**
	 * Lower case without accents, spaces and signs.
	 *
	 * @param string $written Any text.
	 * @return string
	 */
	private static function bare_text( $written ) {
		$text = (string) $written;
		if ( class_exists( 'Normalizer' ) ) {
			$normal = \Normalizer::normalize( $text, \Normalizer::FORM_KD );
			$text   = false === $normal ? $text : $normal;
		} else {
			$text = strtr( $text, self::plain_letters() );
		}
		$text = function_exists( 'mb_strtolower' ) ? mb_strtolower( $text, 'UTF-8' ) : strtolower( $text );
		return (string) preg_replace( '/[^\p{L}\p{Nd}]/u', '', $text );
	}

	/**
	 * Without PHP's intl: the letters of Spanish, and digits of full width.
	 *
	 * @return array<string, string>
	 */
	private static function plain_letters() {
		$letters = array(
			'á' => 'a',
			'é' => 'e',
			'í' => 'i',
			'ó' => 'o',
			'ú' => 'u',
			'ü' => 'u',
			'ñ' => 'n',
			'Á' => 'A',
			'É' => 'E',
			'Í' => 'I',
			'Ó' => 'O',
			'Ú' => 'U',
			'Ü' => 'U',
			'Ñ' => 'N',
			'º' => 'o',
			'ª' => 'a',
			'№' => 'No',
		);
		foreach ( range( 0, 9 ) as $digit ) {
			$letters[ "\xEF\xBC" . chr( 0x90 + $digit ) ] = (string) $digit;
		}
		return $letters;
	}

	/**
	 * The number without its label.
	 *
	 * @param string $written Any text.
	 * @return string
	 */
	private static function bare_number( $written ) {
		return (string) preg_replace( self::LABEL, '', self::bare_text( $written ) );
	}

	/**
	 * Provinces 01 to 24, and 30 for people registered abroad.
	 *
	 * @param string $digits Digits.
	 * @return bool
	 */
	private static function has_province( $digits ) {
		$province = (int) substr( $digits, 0, 2 );
		return ( $province >= 1 && $province <= 24 ) || 30 === $province;
	}

	/**
	 * Modulo 10 with weights 2, 1, 2 … over nine digits.
	 *
	 * @param string $digits Ten digits or more.
	 * @return bool
	 */
	private static function passes_modulo_10( $digits ) {
		$total = 0;
		for ( $at = 0; $at < 9; $at++ ) {
			$product = (int) $digits[ $at ] * ( 0 === $at % 2 ? 2 : 1 );
			$total  += $product > 9 ? $product - 9 : $product;
		}
		return ( 10 - $total % 10 ) % 10 === (int) $digits[9];
	}

	/**
	 * A person's RUC is a cédula and an establishment; a company's has 6 or 9 third, and newer ones follow no check digit.
	 *
	 * @param string $digits Digits.
	 * @return string|null
	 */
	private static function ruc_flaw( $digits ) {
		if ( 13 !== strlen( $digits ) ) {
			return 'length';
		}
		if ( ! self::has_province( $digits ) ) {
			return 'province';
		}
		if ( '000' === substr( $digits, 10 ) ) {
			return 'establishment';
		}
		if ( '6' === $digits[2] || '9' === $digits[2] ) {
			return null;
		}
		return self::passes_modulo_10( $digits ) ? null : 'check-digit';
	}

	/**
	 * A valid one.
	 *
	 * @param string $type  Its type.
	 * @param string $value Its digits.
	 * @return array
	 */
	private static function right( $type, $value ) {
		return array(
			'type'   => $type,
			'value'  => $value,
			'flaw'   => null,
			'digits' => strlen( $value ),
		);
	}

	/**
	 * One that is none.
	 *
	 * @param string $flaw   Why.
	 * @param string $number What was left of it.
	 * @return array
	 */
	private static function wrong( $flaw, $number ) {
		return array(
			'type'   => null,
			'value'  => null,
			'flaw'   => $flaw,
			'digits' => (int) preg_match_all( '/./us', $number ),
		);
	}
}
