import type { ReactNode } from 'react';
import type { Schema } from '../../../shared/api/client';
import type { ReaderView } from '../controls/use-reader-view';
import { SearchBar } from './search-bar';
import { SearchResultsContext } from './search-results';
import { useDocumentSearch } from './use-document-search';
import { useSearchShortcuts } from './use-search-shortcuts';

interface Props {
  file: Schema<'FileDto'>;
  /** The page that is read. */
  currentPage: number;
  view: ReaderView;
  children: ReactNode;
}

/** Lets a document be searched, where its text may be taken. */
export function DocumentSearchProvider(props: Props) {
  return props.file.can.text ? <SearchableDocument {...props} /> : props.children;
}

function SearchableDocument({ file, currentPage, view, children }: Props) {
  const search = useDocumentSearch(file.id, currentPage, view);
  useSearchShortcuts(search);
  return (
    <SearchResultsContext value={search.results}>
      {search.isOpen && <SearchBar search={search} />}
      {children}
    </SearchResultsContext>
  );
}
