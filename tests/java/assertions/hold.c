/* A native method that holds an object by a JNI global reference, as a leaking native library does. */
#include <jni.h>

JNIEXPORT void JNICALL Java_Collectable_hold(JNIEnv *env, jclass class, jobject object) {
    (void) class;
    (void) (*env)->NewGlobalRef(env, object);
}
