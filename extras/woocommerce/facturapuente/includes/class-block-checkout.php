<?php
/**
 * The fields at the block checkout, and with them in My account → Account details, where WooCommerce shows them by itself.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Registered with WooCommerce as contact fields.
 */
final class Block_Checkout {

	/**
	 * The billing address of the checkout that is being checked; the customer has it only afterwards.
	 *
	 * @var array|null
	 */
	private static $address = null;

	/**
	 * Whether the buyer is still typing: the block checkout saves what he has so far.
	 *
	 * @var bool
	 */
	private static $is_draft = false;

	/**
	 * Whether an order that exists is paid: that page shows no fields and has no cart.
	 *
	 * @var bool
	 */
	private static $pays_order = false;

	/** Hooks. */
	public static function init() {
		add_filter( 'rest_pre_dispatch', array( __CLASS__, 'remember_checkout' ), 10, 3 );
		add_filter( 'woocommerce_get_default_value_for_' . Order_Identification::TYPE_FIELD, array( __CLASS__, 'default_type' ) );
		add_action( 'woocommerce_init', array( __CLASS__, 'register' ) );
		add_action( 'woocommerce_blocks_validate_location_contact_fields', array( __CLASS__, 'validate' ), 10, 2 );
		add_action( 'woocommerce_store_api_checkout_update_order_from_request', array( __CLASS__, 'settle' ), 20 );
		add_filter( 'woocommerce_filter_fields_for_order_confirmation', array( __CLASS__, 'hide_nines' ), 10, 3 );
		add_filter( 'woocommerce_form_field_args', array( __CLASS__, 'add_empty_choice' ), 10, 2 );
	}

	/** Registers the fields; WooCommerce before 8.9 has no such function and 9.9 is the first with rules. */
	public static function register() {
		if ( ! Settings::has_fields() || ! function_exists( 'woocommerce_register_additional_checkout_field' ) ) {
			return;
		}
		$rules   = version_compare( WC_VERSION, '9.9', '>=' );
		$options = array();
		foreach ( Rules::types() as $value => $label ) {
			$options[] = array(
				'value' => $value,
				'label' => $label,
			);
		}
		$always = 'always' === Settings::get( 'required' ) && ! Settings::countries() && 'hidden' !== Settings::get( 'digital' );
		woocommerce_register_additional_checkout_field(
			array(
				'id'                => Order_Identification::TYPE_FIELD,
				'label'             => __( 'Identification for the factura', 'facturapuente' ),
				'optionalLabel'     => __( 'Identification for the factura (optional)', 'facturapuente' ),
				'placeholder'       => __( 'Choose cédula, RUC, passport …', 'facturapuente' ),
				'location'          => 'contact',
				'type'              => 'select',
				'options'           => $options,
				'required'          => $rules ? self::required_schema() : $always,
				'hidden'            => $rules ? self::hidden_schema( array() ) : false,
				'sanitize_callback' => array( __CLASS__, 'clean_type' ),
			)
		);
		woocommerce_register_additional_checkout_field(
			array(
				'id'                => Order_Identification::NUMBER_FIELD,
				'label'             => __( 'Number of the identification', 'facturapuente' ),
				'optionalLabel'     => __( 'Number of the identification (optional)', 'facturapuente' ),
				'location'          => 'contact',
				'required'          => $rules ? self::number_required_schema() : $always,
				'hidden'            => $rules ? self::hidden_schema( array( self::type_is( array( '', Rules::FINAL_CONSUMER ) ) ) ) : false,
				'attributes'        => array(
					'autocomplete' => 'off',
					'maxLength'    => 20,
				),
				'sanitize_callback' => array( __CLASS__, 'clean_number' ),
			)
		);
		$not_ruc = array_merge( array( '', Rules::FINAL_CONSUMER ), array_values( array_diff( Rules::NUMBERED, array( 'ruc' ) ) ) );
		woocommerce_register_additional_checkout_field(
			array(
				'id'                => Order_Identification::NAME_FIELD,
				'label'             => __( 'Razón social', 'facturapuente' ),
				'optionalLabel'     => __( 'Razón social (optional)', 'facturapuente' ),
				'location'          => 'contact',
				'required'          => $rules ? self::company_schema() : false,
				'hidden'            => $rules ? self::hidden_schema( array( self::type_is( $not_ruc ) ) ) : false,
				'attributes'        => array(
					'autocomplete' => 'organization',
					'maxLength'    => 300,
				),
				'sanitize_callback' => array( __CLASS__, 'clean_name' ),
			)
		);
	}

	/**
	 * One of the types, or none.
	 *
	 * @param mixed $type Posted.
	 * @return string
	 */
	public static function clean_type( $type ) {
		return is_string( $type ) && ( Rules::FINAL_CONSUMER === $type || in_array( $type, Rules::NUMBERED, true ) ) ? $type : '';
	}

	/**
	 * The plain digits where they are a cédula or RUC, else what was written.
	 *
	 * @param mixed $number Posted.
	 * @return string
	 */
	public static function clean_number( $number ) {
		$text  = sanitize_text_field( is_scalar( $number ) ? (string) $number : '' );
		$found = Identification::examine( $text );
		return null === $found['flaw'] ? $found['value'] : $text;
	}

	/**
	 * A name on one line.
	 *
	 * @param mixed $name Posted.
	 * @return string
	 */
	public static function clean_name( $name ) {
		return sanitize_text_field( is_scalar( $name ) ? (string) $name : '' );
	}

	/**
	 * Type and number belong together. Runs at checkout and in My account.
	 *
	 * @param \WP_Error $errors Errors.
	 * @param array     $fields The contact fields as posted.
	 */
	public static function validate( $errors, $fields ) {
		if ( ! Settings::has_fields() || ! is_array( $fields ) || self::$is_draft || self::$pays_order ) {
			return;
		}
		$fields   += array(
			Order_Identification::TYPE_FIELD   => '',
			Order_Identification::NUMBER_FIELD => '',
			Order_Identification::NAME_FIELD   => '',
		);
		$required  = false;
		$phones    = array();
		$company   = trim( (string) $fields[ Order_Identification::NAME_FIELD ] );
		$checkout  = function_exists( 'WC' ) && WC()->is_store_api_request();
		if ( $checkout && WC()->cart && WC()->customer ) {
			$total    = (float) WC()->cart->get_total( 'edit' );
			$physical = WC()->cart->needs_shipping();
			$address  = (array) self::$address + array(
				'country' => WC()->customer->get_billing_country(),
				'phone'   => WC()->customer->get_billing_phone(),
				'company' => WC()->customer->get_billing_company(),
			);
			if ( ! Rules::asks( (string) $address['country'], $total, $physical ) ) {
				return;
			}
			$required = Rules::requires( $total, $physical );
			$phones   = array( $address['phone'], WC()->customer->get_shipping_phone() );
			$company  = '' === $company ? (string) $address['company'] : $company;
		}
		$flaw = Rules::flaw( (string) $fields[ Order_Identification::TYPE_FIELD ], (string) $fields[ Order_Identification::NUMBER_FIELD ], $required, $phones, $company );
		if ( '' !== $flaw ) {
			$errors->add( 'facturapuente_identificacion', $flaw );
		}
	}

	/**
	 * No choice is the choice of nothing: without it the rules know no type, and hide nothing.
	 *
	 * @param mixed $value Default.
	 * @return mixed
	 */
	public static function default_type( $value ) {
		return null === $value ? '' : $value;
	}

	/**
	 * Before WooCommerce checks a checkout.
	 *
	 * @param mixed            $answer  Passed on.
	 * @param \WP_REST_Server  $server  Server.
	 * @param \WP_REST_Request $request Request.
	 * @return mixed
	 */
	public static function remember_checkout( $answer, $server, $request ) {
		if ( preg_match( '#^/wc/store(?:/v1)?/checkout(/\d+)?#', $request->get_route(), $found ) ) {
			$address          = $request->get_param( 'billing_address' );
			self::$address    = is_array( $address ) ? array_filter( $address, 'is_string' ) : null;
			self::$is_draft   = 'POST' !== $request->get_method();
			self::$pays_order = isset( $found[1] );
		}
		return $answer;
	}

	/**
	 * Gives the order its plain form: the type the digits say, the nines of consumidor final. Nothing stays of fields that
	 * were hidden before the order was placed.
	 *
	 * @param \WC_Order $order Order, saved by WooCommerce afterwards.
	 */
	public static function settle( $order ) {
		if ( ! Settings::has_fields() || self::$pays_order ) {
			return;
		}
		$physical = WC()->cart ? WC()->cart->needs_shipping() : true;
		if ( ! Rules::asks( $order->get_billing_country(), (float) $order->get_total(), $physical ) ) {
			$order->delete_meta_data( Order_Identification::TYPE_META );
			$order->delete_meta_data( Order_Identification::NUMBER_META );
			$order->delete_meta_data( Order_Identification::NAME_META );
			return;
		}
		$type   = (string) $order->get_meta( Order_Identification::TYPE_META );
		$number = (string) $order->get_meta( Order_Identification::NUMBER_META );
		if ( '' !== $type || '' !== $number ) {
			Order_Identification::set( $order, $type, $number, (string) $order->get_meta( Order_Identification::NAME_META ) );
		}
	}

	/**
	 * To a buyer, thirteen nines say nothing.
	 *
	 * @param bool  $show   Whether it is shown.
	 * @param array $field  Field.
	 * @param array $fields All fields of the order.
	 * @return bool
	 */
	public static function hide_nines( $show, $field, $fields ) {
		$id = isset( $field['id'] ) ? $field['id'] : '';
		if ( Order_Identification::NUMBER_FIELD === $id && isset( $field['value'] ) && Identification::FINAL_CONSUMER === $field['value'] ) {
			return false;
		}
		return $show;
	}

	/**
	 * In My account, a buyer who has chosen nothing keeps nothing.
	 *
	 * @param array  $args Field.
	 * @param string $key  Its name.
	 * @return array
	 */
	public static function add_empty_choice( $args, $key ) {
		if ( Order_Identification::TYPE_META === $key && isset( $args['options'] ) ) {
			$args['options'] = array( '' => __( 'Choose …', 'facturapuente' ) ) + $args['options'];
		}
		return $args;
	}

	/**
	 * The limit in the smallest unit of the currency.
	 *
	 * @return int
	 */
	private static function limit_in_units() {
		return (int) round( Settings::limit() * pow( 10, wc_get_price_decimals() ) );
	}

	/**
	 * A schema about the cart.
	 *
	 * @param array $properties Properties.
	 * @return array
	 */
	private static function cart( $properties ) {
		return array(
			'type'       => 'object',
			'properties' => array(
				'cart' => array(
					'type'       => 'object',
					'properties' => $properties,
				),
			),
		);
	}

	/**
	 * A cart above the limit.
	 *
	 * @return array
	 */
	private static function above_limit() {
		return self::cart( array( 'totals' => array( 'properties' => array( 'total_price' => array( 'minimum' => self::limit_in_units() + 1 ) ) ) ) );
	}

	/**
	 * A type was chosen, one of these.
	 *
	 * @param string[] $types Types.
	 * @return array
	 */
	private static function type_is( $types ) {
		return array(
			'type'       => 'object',
			'properties' => array(
				'customer' => array(
					'type'       => 'object',
					'properties' => array(
						'additional_fields' => array(
							'type'       => 'object',
							'required'   => array( Order_Identification::TYPE_FIELD ),
							'properties' => array( Order_Identification::TYPE_FIELD => array( 'enum' => $types ) ),
						),
					),
				),
			),
		);
	}

	/**
	 * Who does not see a field: other countries, digital goods up to the limit, and what else is given.
	 *
	 * @param array[] $more Further schemas.
	 * @return array|false
	 */
	private static function hidden_schema( $more ) {
		$countries = Settings::countries();
		if ( $countries ) {
			$more[] = array(
				'type'       => 'object',
				'properties' => array(
					'customer' => array(
						'type'       => 'object',
						'properties' => array(
							'billing_address' => array(
								'type'       => 'object',
								'properties' => array( 'country' => array( 'not' => array( 'enum' => array_merge( array( '' ), $countries ) ) ) ),
							),
						),
					),
				),
			);
		}
		if ( 'hidden' === Settings::get( 'digital' ) ) {
			$more[] = self::cart(
				array(
					'needs_shipping' => array( 'const' => false ),
					'items_count'    => array( 'minimum' => 1 ),
					'totals'         => array( 'properties' => array( 'total_price' => array( 'maximum' => self::limit_in_units() ) ) ),
				)
			);
		}
		return $more ? array(
			'type'  => 'object',
			'anyOf' => $more,
		) : false;
	}

	/**
	 * When the buyer must choose.
	 *
	 * @return array|false
	 */
	private static function required_schema() {
		$any = self::required_schemas();
		return $any ? array(
			'type'  => 'object',
			'anyOf' => $any,
		) : false;
	}

	/**
	 * When he must write a number.
	 *
	 * @return array
	 */
	private static function number_required_schema() {
		$any   = self::required_schemas();
		$any[] = self::type_is( Rules::NUMBERED );
		return array(
			'type'  => 'object',
			'anyOf' => $any,
		);
	}

	/**
	 * When he must name a company: a RUC whose third digit is 9. Others see the error when the order is placed.
	 *
	 * @return array
	 */
	private static function company_schema() {
		$schema = self::type_is( array( 'ruc' ) );
		$fields = &$schema['properties']['customer']['properties']['additional_fields'];

		$fields['required'][] = Order_Identification::NUMBER_FIELD;
		$fields['properties'][ Order_Identification::NUMBER_FIELD ] = array(
			'type'    => 'string',
			'pattern' => '^[^0-9]*[0-9][^0-9]*[0-9][^0-9]*9',
		);
		return $schema;
	}

	/**
	 * Each of them requires. My account has an empty cart, of which nothing is required.
	 *
	 * @return array[]
	 */
	private static function required_schemas() {
		$any = array();
		if ( 'always' === Settings::get( 'required' ) ) {
			$any[] = self::cart( array( 'items_count' => array( 'minimum' => 1 ) ) );
		}
		if ( 'above' === Settings::get( 'required' ) ) {
			$any[] = self::above_limit();
		}
		if ( 'required' === Settings::get( 'digital' ) ) {
			$any[] = self::cart(
				array(
					'needs_shipping' => array( 'const' => false ),
					'items_count'    => array( 'minimum' => 1 ),
				)
			);
		}
		return $any;
	}
}
