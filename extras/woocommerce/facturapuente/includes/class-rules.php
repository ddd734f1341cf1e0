<?php
/**
 * Who is asked, who must answer, and what an answer must be.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * The rules of the settings, for a cart.
 */
final class Rules {

	/** Types that come with a number. */
	const NUMBERED = array( 'cedula', 'ruc', 'pasaporte' );

	const FINAL_CONSUMER = 'consumidor-final';

	/**
	 * The types a buyer can choose.
	 *
	 * @return array<string, string>
	 */
	public static function types() {
		$types = array(
			'cedula'    => __( 'Cédula', 'facturapuente' ),
			'ruc'       => __( 'RUC', 'facturapuente' ),
			'pasaporte' => __( 'Passport', 'facturapuente' ),
		);
		if ( 'always' !== Settings::get( 'required' ) ) {
			$types[ self::FINAL_CONSUMER ] = __( 'Consumidor final', 'facturapuente' );
		}
		return $types;
	}

	/**
	 * Whether the buyer sees the fields.
	 *
	 * @param string $country  Of the billing address; '' when unknown.
	 * @param float  $total    With tax.
	 * @param bool   $physical Whether anything is shipped.
	 * @return bool
	 */
	public static function asks( $country, $total, $physical ) {
		$countries = Settings::countries();
		if ( ! Settings::has_fields() ) {
			return false;
		}
		if ( '' !== $country && $countries && ! in_array( $country, $countries, true ) ) {
			return false;
		}
		return $physical || 'hidden' !== Settings::get( 'digital' ) || $total > Settings::limit();
	}

	/**
	 * Whether a buyer who sees the fields must name himself.
	 *
	 * @param float $total    With tax.
	 * @param bool  $physical Whether anything is shipped.
	 * @return bool
	 */
	public static function requires( $total, $physical ) {
		$required = Settings::get( 'required' );
		if ( 'always' === $required || ( ! $physical && 'required' === Settings::get( 'digital' ) ) ) {
			return true;
		}
		return 'above' === $required && round( $total, 2 ) > Settings::limit();
	}

	/**
	 * What is wrong with an answer, as a sentence to the buyer; '' when nothing is.
	 *
	 * @param string      $type     Chosen type, or ''.
	 * @param string      $number   Written number.
	 * @param bool        $required Whether he must name himself.
	 * @param string[]    $phones   Telephones of the order.
	 * @param string|null $company  The name he gave for a company; null where nobody asks for it.
	 * @return string
	 */
	public static function flaw( $type, $number, $required, $phones = array(), $company = null ) {
		if ( self::FINAL_CONSUMER === $type ) {
			return $required ? self::must_be_named() : '';
		}
		if ( '' === $type ) {
			return $required ? self::must_be_named() : '';
		}
		if ( '' === trim( $number ) ) {
			return __( 'Write the number of your identification.', 'facturapuente' );
		}
		if ( 'pasaporte' === $type ) {
			return null === Identification::passport( $number )
				? __( 'The passport has 3 to 20 letters and digits, at least one digit among them.', 'facturapuente' )
				: '';
		}
		$found = Identification::examine( $number );
		if ( null !== $found['flaw'] ) {
			return self::says_flaw( $found['flaw'], $found['digits'] );
		}
		if ( 'consumidor-final' === $found['type'] ) {
			return $required ? self::must_be_named() : '';
		}
		if ( Identification::may_be_telephone( $found['value'] ) && self::is_among( $found['value'], $phones ) ) {
			return __( 'That is your telephone: write the number of your cédula or RUC.', 'facturapuente' );
		}
		if ( 'ruc' === $found['type'] && null !== $company && '' === trim( $company ) && Identification::is_company( $found['value'] ) ) {
			return __( 'That RUC is a company\'s: write its razón social, which the factura must name.', 'facturapuente' );
		}
		return '';
	}

	/**
	 * Type and number as the order keeps them. The digits decide between cédula and RUC. Without a type the number is none:
	 * the field is hidden, and what it holds may be of an earlier order.
	 *
	 * @param string $type   Chosen.
	 * @param string $number Written.
	 * @return array{0: string, 1: string}
	 */
	public static function settle( $type, $number ) {
		$number = trim( $number );
		if ( self::FINAL_CONSUMER === $type ) {
			return array( $type, Identification::FINAL_CONSUMER );
		}
		if ( '' === $type || '' === $number ) {
			return array( '', '' );
		}
		if ( 'pasaporte' === $type ) {
			$id = Identification::passport( $number );
			return array( $type, null === $id ? $number : $id );
		}
		$found = Identification::examine( $number );
		return null === $found['flaw'] ? array( $found['type'], $found['value'] ) : array( $type, $number );
	}

	/**
	 * Why a number is neither cédula nor RUC.
	 *
	 * @param string $flaw   Flaw.
	 * @param int    $digits How many digits were written.
	 * @return string
	 */
	public static function says_flaw( $flaw, $digits ) {
		switch ( $flaw ) {
			case 'length':
				if ( 1 === $digits ) {
					return __( 'The number has one digit; a cédula has 10 and a RUC 13.', 'facturapuente' );
				}
				/* translators: %d: number of digits */
				return sprintf( __( 'The number has %d digits; a cédula has 10 and a RUC 13.', 'facturapuente' ), $digits );
			case 'province':
				return __( 'The number begins with a province that does not exist. Check its digits.', 'facturapuente' );
			case 'check-digit':
				return __( 'The number has a wrong digit (its check digit does not match). Check its digits.', 'facturapuente' );
			case 'establishment':
				return __( 'The number ends in 000, and the establishment of a RUC begins at 001.', 'facturapuente' );
			default:
				return __( 'The number is neither a cédula nor a RUC. Choose Passport if it is one.', 'facturapuente' );
		}
	}

	/**
	 * Above the limit consumidor final is not allowed.
	 *
	 * @return string
	 */
	private static function must_be_named() {
		if ( 'above' === Settings::get( 'required' ) ) {
			/* translators: %s: amount in dollars */
			return sprintf( __( 'Above USD %s the factura must name you: choose cédula, RUC or passport and write its number.', 'facturapuente' ), number_format( Settings::limit(), 2, '.', '' ) );
		}
		return __( 'The factura must name you: choose cédula, RUC or passport and write its number.', 'facturapuente' );
	}

	/**
	 * Whether digits are one of the telephones, with or without country prefix.
	 *
	 * @param string   $digits Digits.
	 * @param string[] $phones Telephones.
	 * @return bool
	 */
	private static function is_among( $digits, $phones ) {
		foreach ( $phones as $phone ) {
			if ( self::national( (string) preg_replace( '/[^0-9]/', '', (string) $phone ) ) === self::national( $digits ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * A telephone without prefix and leading zeros.
	 *
	 * @param string $digits Digits.
	 * @return string
	 */
	private static function national( $digits ) {
		return ltrim( (string) preg_replace( '/^0{0,2}593(?=0?[0-9]{8,9}$)/', '', $digits ), '0' );
	}
}
