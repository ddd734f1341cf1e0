<?php
/**
 * The same fields at the classic checkout ([woocommerce_checkout]).
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Below the name; the server says at each change of country and total whether they are shown and required.
 */
final class Classic_Checkout {

	const TYPE   = 'facturapuente_tipo';
	const NUMBER = 'facturapuente_numero';
	const NAME   = 'facturapuente_razon_social';

	/** Hooks. */
	public static function init() {
		add_filter( 'woocommerce_checkout_fields', array( __CLASS__, 'add_fields' ), 20 );
		add_filter( 'woocommerce_checkout_get_value', array( __CLASS__, 'value' ), 10, 2 );
		add_action( 'woocommerce_after_checkout_validation', array( __CLASS__, 'validate' ), 10, 2 );
		add_action( 'woocommerce_checkout_create_order', array( __CLASS__, 'save_to_order' ), 10, 2 );
		add_action( 'woocommerce_checkout_update_customer', array( __CLASS__, 'save_to_customer' ), 10, 2 );
		add_action( 'woocommerce_review_order_before_submit', array( __CLASS__, 'say_state' ) );
		add_action( 'wp_enqueue_scripts', array( __CLASS__, 'enqueue' ) );
	}

	/**
	 * Adds type and number after the name.
	 *
	 * @param array $fields Fields by group.
	 * @return array
	 */
	public static function add_fields( $fields ) {
		if ( ! Settings::has_fields() ) {
			return $fields;
		}
		$fields['billing'][ self::TYPE ]   = array(
			'type'     => 'select',
			'label'    => __( 'Identification for the factura', 'facturapuente' ),
			'options'  => array( '' => __( 'Choose cédula, RUC, passport …', 'facturapuente' ) ) + Rules::types(),
			'required' => false,
			'priority' => 22,
			'class'    => array( 'form-row-wide', 'facturapuente-field' ),
		);
		$fields['billing'][ self::NUMBER ] = array(
			'type'         => 'text',
			'label'        => __( 'Number of the identification', 'facturapuente' ),
			'required'     => false,
			'priority'     => 23,
			'maxlength'    => 20,
			'autocomplete' => 'off',
			'class'        => array( 'form-row-wide', 'facturapuente-field' ),
		);
		$fields['billing'][ self::NAME ]   = array(
			'type'         => 'text',
			'label'        => __( 'Razón social', 'facturapuente' ),
			'required'     => false,
			'priority'     => 24,
			'maxlength'    => 300,
			'autocomplete' => 'organization',
			'class'        => array( 'form-row-wide', 'facturapuente-field' ),
		);
		return $fields;
	}

	/**
	 * What the buyer's account has.
	 *
	 * @param mixed  $value Value.
	 * @param string $input Field.
	 * @return mixed
	 */
	public static function value( $value, $input ) {
		$metas = array(
			self::TYPE   => Order_Identification::TYPE_META,
			self::NUMBER => Order_Identification::NUMBER_META,
			self::NAME   => Order_Identification::NAME_META,
		);
		if ( ! isset( $metas[ $input ] ) || ( null !== $value && '' !== $value ) || ! is_user_logged_in() || ! WC()->customer ) {
			return $value;
		}
		$kept = (string) WC()->customer->get_meta( $metas[ $input ] );
		return Identification::FINAL_CONSUMER === $kept ? $value : $kept;
	}

	/**
	 * Checks type and number where they are asked for.
	 *
	 * @param array     $data   Posted.
	 * @param \WP_Error $errors Errors.
	 */
	public static function validate( $data, $errors ) {
		if ( ! isset( $data[ self::NUMBER ] ) || ! self::asks( $data ) ) {
			return;
		}
		$phones  = array( self::text( $data, 'billing_phone' ) );
		$company = self::text( $data, self::NAME );
		$company = '' === $company ? self::text( $data, 'billing_company' ) : $company;
		$flaw    = Rules::flaw( self::type_of( $data ), self::text( $data, self::NUMBER ), Rules::requires( self::total(), self::physical() ), $phones, $company );
		if ( '' !== $flaw ) {
			$errors->add( self::NUMBER . '_validation', esc_html( $flaw ), array( 'id' => self::NUMBER ) );
		}
	}

	/**
	 * Onto the order.
	 *
	 * @param \WC_Order $order Order.
	 * @param array     $data  Posted.
	 */
	public static function save_to_order( $order, $data ) {
		if ( self::answers( $data ) ) {
			Order_Identification::set( $order, self::type_of( $data ), self::text( $data, self::NUMBER ), self::text( $data, self::NAME ) );
		}
	}

	/**
	 * Into the account.
	 *
	 * @param \WC_Customer $customer Customer.
	 * @param array        $data     Posted.
	 */
	public static function save_to_customer( $customer, $data ) {
		list( $type, $number ) = Rules::settle( self::type_of( $data ), self::text( $data, self::NUMBER ) );
		if ( self::answers( $data ) && Rules::FINAL_CONSUMER !== $type ) {
			$customer->update_meta_data( Order_Identification::TYPE_META, $type );
			$customer->update_meta_data( Order_Identification::NUMBER_META, $number );
			$customer->update_meta_data( Order_Identification::NAME_META, 'ruc' === $type ? self::text( $data, self::NAME ) : '' );
		}
	}

	/** Tells the script, within the part of the page that WooCommerce renews. */
	public static function say_state() {
		$country = WC()->customer ? WC()->customer->get_billing_country() : '';
		$asks    = Rules::asks( $country, self::total(), self::physical() );
		$needs   = $asks && Rules::requires( self::total(), self::physical() );
		echo '<span id="facturapuente-state" hidden data-asks="' . ( $asks ? '1' : '0' ) . '" data-required="' . ( $needs ? '1' : '0' ) . '"></span>';
	}

	/** The script of the classic checkout. */
	public static function enqueue() {
		if ( is_checkout() && ! is_order_received_page() && Settings::has_fields() ) {
			wp_enqueue_script( 'facturapuente-checkout', plugins_url( 'assets/checkout.js', PLUGIN_FILE ), array( 'jquery' ), VERSION, true );
		}
	}

	/**
	 * Whether this buyer is asked.
	 *
	 * @param array $data Posted.
	 * @return bool
	 */
	private static function asks( $data ) {
		return Rules::asks( self::text( $data, 'billing_country' ), self::total(), self::physical() );
	}

	/**
	 * Whether this buyer is asked and said something.
	 *
	 * @param array $data Posted.
	 * @return bool
	 */
	private static function answers( $data ) {
		return self::asks( $data ) && '' !== self::type_of( $data );
	}

	/**
	 * A posted text.
	 *
	 * @param array  $data Posted.
	 * @param string $key  Field.
	 * @return string
	 */
	private static function text( $data, $key ) {
		return isset( $data[ $key ] ) && is_string( $data[ $key ] ) ? trim( $data[ $key ] ) : '';
	}

	/**
	 * One of the types, or none.
	 *
	 * @param array $data Posted.
	 * @return string
	 */
	private static function type_of( $data ) {
		return Block_Checkout::clean_type( self::text( $data, self::TYPE ) );
	}

	/**
	 * The total of the cart, with tax.
	 *
	 * @return float
	 */
	private static function total() {
		return WC()->cart ? (float) WC()->cart->get_total( 'edit' ) : 0.0;
	}

	/**
	 * Whether anything is shipped.
	 *
	 * @return bool
	 */
	private static function physical() {
		return WC()->cart ? WC()->cart->needs_shipping() : true;
	}
}
