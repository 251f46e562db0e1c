import type { ReactNode } from 'react';
import type { ReaderView } from '../controls/use-reader-view';
import type { ReaderFile } from '../source/reader-source';
import { SearchBar } from './search-bar';
import { SearchResultsContext } from './search-results';
import { useDocumentSearch } from './use-document-search';
import { useSearchShortcuts } from './use-search-shortcuts';

interface Props {
  file: ReaderFile;
  currentPage: number;
  view: ReaderView;
  children: ReactNode;
}

/** Adds search to a document if its text may be read. */
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
