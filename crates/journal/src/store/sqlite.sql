CREATE TABLE journal (
    position  INTEGER PRIMARY KEY,
    stream    TEXT    NOT NULL,
    sequence  INTEGER NOT NULL,
    command   TEXT    NOT NULL,
    kind      INTEGER NOT NULL,
    events_at INTEGER NOT NULL,
    line      BLOB    NOT NULL,
    UNIQUE (stream, sequence),
    UNIQUE (stream, command)
) STRICT;

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE register (
    register TEXT NOT NULL,
    key      TEXT NOT NULL,
    value    BLOB NOT NULL,
    PRIMARY KEY (register, key)
) STRICT, WITHOUT ROWID;
