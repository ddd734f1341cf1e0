<?php
/**
 * The settings: a tab of WooCommerce → Settings.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Whom the shop asks for an identification.
 */
final class Settings {

	const TAB = 'facturapuente';

	/** Every option this plugin keeps, with its default; uninstall.php deletes them. */
	const DEFAULTS = array(
		'facturapuente_fields'    => 'yes',
		'facturapuente_countries' => array( 'EC' ),
		'facturapuente_required'  => 'above',
		'facturapuente_limit'     => '50.00',
		'facturapuente_digital'   => 'same',
		'facturapuente_mails'     => 'yes',
	);

	/** Hooks. */
	public static function init() {
		add_filter( 'woocommerce_settings_tabs_array', array( __CLASS__, 'add_tab' ), 60 );
		add_action( 'woocommerce_settings_tabs_' . self::TAB, array( __CLASS__, 'show' ) );
		add_action( 'woocommerce_update_options_' . self::TAB, array( __CLASS__, 'save' ) );
		add_filter( 'woocommerce_admin_settings_sanitize_option_facturapuente_limit', array( __CLASS__, 'clean_limit' ), 10, 3 );
		add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( __CLASS__, 'link' ) );
		add_action( 'admin_notices', array( __CLASS__, 'warn' ) );
	}

	/**
	 * One setting.
	 *
	 * @param string $name Without its prefix.
	 * @return mixed
	 */
	public static function get( $name ) {
		return get_option( 'facturapuente_' . $name, self::DEFAULTS[ 'facturapuente_' . $name ] );
	}

	/**
	 * Whether the checkout has this plugin's fields: not where they are switched off, nor where the snippet of
	 * facturapuente's documentation brings its own, which use one of the same keys.
	 *
	 * @return bool
	 */
	public static function has_fields() {
		return 'yes' === self::get( 'fields' ) && ! function_exists( 'facturapuente_es_identificacion' );
	}

	/**
	 * The countries whose buyers are asked; none means all.
	 *
	 * @return string[]
	 */
	public static function countries() {
		return array_values( array_filter( array_map( 'strval', (array) self::get( 'countries' ) ) ) );
	}

	/**
	 * Up to here, with tax, consumidor final is allowed.
	 *
	 * @return float
	 */
	public static function limit() {
		return (float) self::get( 'limit' );
	}

	/**
	 * Adds the tab.
	 *
	 * @param array $tabs Tabs.
	 * @return array
	 */
	public static function add_tab( $tabs ) {
		$tabs[ self::TAB ] = __( 'Electronic invoicing', 'facturapuente' );
		return $tabs;
	}

	/** Shows the tab. */
	public static function show() {
		woocommerce_admin_fields( self::fields() );
	}

	/** Saves it; WooCommerce has checked nonce and capability. */
	public static function save() {
		woocommerce_update_options( self::fields() );
	}

	/**
	 * A limit is an amount; anything else leaves the former one.
	 *
	 * @param mixed $value  Cleaned.
	 * @param array $option The field.
	 * @param mixed $raw    As posted.
	 * @return string
	 */
	public static function clean_limit( $value, $option, $raw ) {
		$amount = str_replace( ',', '.', trim( (string) $raw ) );
		return preg_match( '/^\d{1,9}(\.\d{1,2})?$/', $amount ) ? number_format( (float) $amount, 2, '.', '' ) : (string) self::get( 'limit' );
	}

	/**
	 * Leads from the list of plugins to the tab.
	 *
	 * @param array $links Links.
	 * @return array
	 */
	public static function link( $links ) {
		$url = admin_url( 'admin.php?page=wc-settings&tab=' . self::TAB );
		array_unshift( $links, '<a href="' . esc_url( $url ) . '">' . esc_html__( 'Settings', 'facturapuente' ) . '</a>' );
		return $links;
	}

	/** The snippet of facturapuente's documentation makes the same fields. */
	public static function warn() {
		if ( function_exists( 'facturapuente_es_identificacion' ) && current_user_can( 'manage_woocommerce' ) ) {
			echo '<div class="notice notice-warning"><p>' . esc_html__( 'This site still has the pasted snippet of facturapuente (wp-content/mu-plugins/facturapuente-comprador.php, or a plugin for snippets). The plugin does the same: delete the snippet. Until then the fields are those of the snippet, not of the plugin.', 'facturapuente' ) . '</p></div>';
		}
	}

	/**
	 * The fields of the tab.
	 *
	 * @return array
	 */
	private static function fields() {
		return array(
			array(
				'type'  => 'title',
				'id'    => 'facturapuente_title',
				'title' => __( 'Identification of the buyer', 'facturapuente' ),
				'desc'  => __( 'The factura names the buyer by cédula, RUC or passport. Without one it is made out to consumidor final, up to the limit of the law.', 'facturapuente' ),
			),
			array(
				'type'    => 'checkbox',
				'id'      => 'facturapuente_fields',
				'title'   => __( 'Fields', 'facturapuente' ),
				'desc'    => __( 'Ask for the identification at checkout and in My account', 'facturapuente' ),
				'default' => self::DEFAULTS['facturapuente_fields'],
			),
			array(
				'type'    => 'multi_select_countries',
				'id'      => 'facturapuente_countries',
				'title'   => __( 'Countries', 'facturapuente' ),
				'desc'    => __( 'Buyers with a billing address elsewhere are not asked. None: everyone is asked.', 'facturapuente' ),
				'default' => self::DEFAULTS['facturapuente_countries'],
			),
			array(
				'type'    => 'select',
				'id'      => 'facturapuente_required',
				'title'   => __( 'Required', 'facturapuente' ),
				'options' => array(
					'above'  => __( 'Above the limit; below it the buyer may choose consumidor final', 'facturapuente' ),
					'always' => __( 'Always; no consumidor final', 'facturapuente' ),
					'never'  => __( 'Never; above the limit facturapuente holds the order and asks the buyer', 'facturapuente' ),
				),
				'default' => self::DEFAULTS['facturapuente_required'],
			),
			array(
				'type'              => 'text',
				'id'                => 'facturapuente_limit',
				'title'             => __( 'Limit of consumidor final (USD, with tax)', 'facturapuente' ),
				'desc'              => __( 'The same as policy.finalConsumer.limit of facturapuente.', 'facturapuente' ),
				'css'               => 'width:8em',
				'custom_attributes' => array( 'inputmode' => 'decimal' ),
				'default'           => self::DEFAULTS['facturapuente_limit'],
			),
			array(
				'type'    => 'select',
				'id'      => 'facturapuente_digital',
				'title'   => __( 'Carts with digital goods only', 'facturapuente' ),
				'options' => array(
					'same'     => __( 'Like any other', 'facturapuente' ),
					'required' => __( 'Always required', 'facturapuente' ),
					'hidden'   => __( 'Not asked up to the limit', 'facturapuente' ),
				),
				'default' => self::DEFAULTS['facturapuente_digital'],
			),
			array(
				'type'    => 'checkbox',
				'id'      => 'facturapuente_mails',
				'title'   => __( 'Mails', 'facturapuente' ),
				'desc'    => __( 'Put the link of the factura into the mails to the buyer', 'facturapuente' ),
				'default' => self::DEFAULTS['facturapuente_mails'],
			),
			array(
				'type' => 'sectionend',
				'id'   => 'facturapuente_title',
			),
		);
	}
}
