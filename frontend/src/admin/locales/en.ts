import english from 'ra-language-english';

const { ra } = english;

/** The texts of react-admin's own parts. A yes-or-no that is not known shows as a dash instead of as nothing. */
export default { ra: { ...ra, boolean: { ...ra.boolean, null: '–' } } };
