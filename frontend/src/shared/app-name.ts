/** The product's name as the page shows it. */
export const appName = 'Zonary';
