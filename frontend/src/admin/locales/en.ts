import english from 'ra-language-english';

const { ra } = english;

/** Texts of react-admin's own components. An unknown boolean shows as a dash instead of nothing. */
export default { ra: { ...ra, boolean: { ...ra.boolean, null: '–' } } };
