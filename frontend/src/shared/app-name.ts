const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');

/** The product's name as the page shows it: the one that the document was served with. */
export const appName = meta?.content || 'Zonary';
