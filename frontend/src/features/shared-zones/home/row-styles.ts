/** A list of rows over the full width of a card. */
export const listStyles = { m: 0, mx: { xs: -4, sm: -6 }, mb: { xs: -4, sm: -6 }, p: 0, listStyle: 'none' } as const;

/** A row that is a link as a whole. */
export const rowStyles = {
  display: 'flex',
  justifyContent: 'flex-start',
  gap: 3,
  width: '100%',
  minHeight: 44,
  px: { xs: 4, sm: 6 },
  py: 2,
  borderTop: 1,
  borderColor: 'divider',
  textAlign: 'left',
  '&:hover': { bgcolor: 'hover' },
  '&:focus-visible': { outlineOffset: -2 },
} as const;
