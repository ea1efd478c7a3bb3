-- A search looks for words that a misspelt word may mean among the counted terms (`scope_terms`), so no list of words is kept
-- (ADR 50). An observation wrote up to 27 rows for each new word of a scope.
drop table scope_word_keys;
drop table scope_words;
drop table statement_words;
