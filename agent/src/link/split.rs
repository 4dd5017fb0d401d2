//! Halves of a message that is too long for a frame. Only lists with names in them can be; their order is kept.
//! (The pool's buffers hold records of bounded length and stay whole, or the pool would lose their memory.)

use rootbound_wire::message::FromAgent;

/// Two messages with the same content as this one; `None` when it is no such list, or a list of one.
pub fn halves(message: &mut FromAgent) -> Option<[FromAgent; 2]> {
    match message {
        FromAgent::Classes(records) => cut(records, FromAgent::Classes),
        FromAgent::Threads(records) => cut(records, FromAgent::Threads),
        FromAgent::Methods(records) => cut(records, FromAgent::Methods),
        _ => None,
    }
}

fn cut<T>(records: &mut Vec<T>, message: impl Fn(Vec<T>) -> FromAgent) -> Option<[FromAgent; 2]> {
    if records.len() < 2 {
        return None;
    }
    let second = records.split_off(records.len() / 2);
    Some([message(std::mem::take(records)), message(second)])
}
