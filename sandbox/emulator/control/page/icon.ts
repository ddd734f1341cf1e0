/** The page's mark, also in the browser's tab: a suspension bridge. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0f6b5c"/>
<g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round">
<path d="M4 21.500h24M10 8.500v16.500M22 8.500v16.500" stroke-width="2.200"/>
<path d="M4 18c3-1.500 5-5 6-9 1.500 5.500 4 8 6 8s4.500-2.500 6-8c1 4 3 7.500 6 9" stroke-width="1.600"/>
</g></svg>`;
