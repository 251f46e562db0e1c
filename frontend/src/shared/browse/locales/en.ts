/** Texts of lists that can be sorted and shown as a grid or a list. */
export default {
  view: { label: 'View', grid: 'Grid', list: 'List' },
  sort: {
    label: 'Sort by {{key}}',
    by: 'Sort by',
    toAscending: 'Sort ascending',
    toDescending: 'Sort descending',
  },
};
