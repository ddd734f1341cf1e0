/** The page's mark, also in the browser's tab: a bridge over a line of digits. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0f6b5c"/>
<path d="M5 21h22M5 21V13M27 21V13M16 21v-7M10.500 21v-4.500M21.500 21v-4.500M5 13c0 0 3 3.500 11 1c8 2.500 11-1 11-1" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;
